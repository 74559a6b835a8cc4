import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { importPart } from "./import-part";

describe("importPart", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("imports again until the scripts can be loaded", async () => {
    const load = vi.fn<() => Promise<string>>();
    load.mockRejectedValueOnce(new Error("away")).mockRejectedValueOnce(new Error("away"));
    load.mockResolvedValue("module");
    const part = importPart(load);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(load).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await part).toBe("module");
  });

  it("gives up after a minute, with the last failure", async () => {
    let tries = 0;
    const failed = importPart(() => Promise.reject(new Error(`try ${++tries}`)));
    const expectation = expect(failed).rejects.toThrow("try 60");
    await vi.advanceTimersByTimeAsync(60_000);
    await expectation;
  });
});
