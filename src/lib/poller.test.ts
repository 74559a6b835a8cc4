import { describe, expect, it } from "vitest";
import { createPoller } from "./poller";

const NEVER_MS = 3_600_000;

describe("createPoller", () => {
  it("goes on after a run that never ends", async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const poller = createPoller({
      intervalMs: 1,
      run: () => (++runs === 1 ? new Promise(() => undefined) : Promise.resolve()),
      onError: (error) => errors.push(error),
      maxRunMs: 20,
    });
    await expect.poll(() => runs).toBeGreaterThan(2);
    expect(String(errors[0])).toContain("did not end within 0.02 s");
    await poller.stop();
  });

  it("goes on after a run that throws before its first promise", async () => {
    let runs = 0;
    const errors: unknown[] = [];
    const poller = createPoller({
      intervalMs: 1,
      run: () => {
        runs += 1;
        throw new Error("at once");
      },
      onError: (error) => errors.push(error),
    });
    await expect.poll(() => runs).toBeGreaterThan(2);
    expect(errors).toContainEqual(new Error("at once"));
    await poller.stop();
  });

  it("runs once at a time, and once more when it is triggered meanwhile", async () => {
    const runs: PromiseWithResolvers<void>[] = [];
    const poller = createPoller({
      intervalMs: NEVER_MS,
      run: () => {
        const next = Promise.withResolvers<void>();
        runs.push(next);
        return next.promise;
      },
      onError: () => undefined,
    });
    for (let count = 0; count < 3; count++) poller.trigger();
    expect(runs).toHaveLength(1);
    runs[0]?.resolve();
    await expect.poll(() => runs.length).toBe(2);
    runs[1]?.resolve();
    await poller.stop();
    poller.trigger();
    expect(runs).toHaveLength(2);
  });
});
