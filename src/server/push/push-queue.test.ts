import { describe, expect, it } from "vitest";
import { createPushQueue } from "./push-queue";
import type { PushMessage, PushOutcome } from "./send-push";

const message = (payload: string): PushMessage => ({
  endpoint: "https://push.example.org/1",
  browser: { p256dh: "", auth: "" },
  payload,
  ttlSeconds: 1,
  urgency: "normal",
});
const LATER: PushOutcome = { type: "retry", afterMs: undefined, problem: "busy" };

/** A queue whose sender has these outcomes one after the other, and the last one from then on. */
const createTestQueue = (outcomes: PushOutcome[]) => {
  let sent = 0;
  const waits: number[] = [];
  const ended: PushOutcome[] = [];
  const queue = createPushQueue({
    send: () => Promise.resolve(outcomes[sent++] ?? outcomes.at(-1) ?? { type: "sent" }),
    onOutcome: (_message, outcome) => void ended.push(outcome),
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  });
  return { queue, waits, ended };
};

describe("a notification that may be sent later", () => {
  it("is tried again after longer and longer delays, then given up", async () => {
    const { queue, waits, ended } = createTestQueue([LATER]);
    queue.add(message("a"));
    await queue.settled();
    expect(waits).toEqual([2_000, 4_000, 8_000]);
    expect(ended).toEqual([LATER]);
  });

  it("is tried again when the service says, unless that is long", async () => {
    const soon = createTestQueue([{ ...LATER, afterMs: 30_000 }, { type: "sent" }]);
    soon.queue.add(message("a"));
    await soon.queue.settled();
    expect([soon.waits, soon.ended]).toEqual([[30_000], [{ type: "sent" }]]);

    const hour: PushOutcome = { ...LATER, afterMs: 3_600_000 };
    const busy = createTestQueue([hour]);
    busy.queue.add(message("a"));
    await busy.queue.settled();
    expect([busy.waits, busy.ended]).toEqual([[], [hour]]);
  });

  it("is given up at the end of the process", async () => {
    const ended: PushOutcome[] = [];
    const sent = Promise.withResolvers<void>();
    const queue = createPushQueue({
      send: () => {
        sent.resolve();
        return Promise.resolve(LATER);
      },
      onOutcome: (_message, outcome) => void ended.push(outcome),
    });
    queue.add(message("a"));
    await sent.promise;
    await queue.stop();
    expect(ended).toEqual([LATER]);
  });
});

describe("a service that does not answer", () => {
  it("holds up to 16 requests, and 1,000 notifications", async () => {
    const hanging = Promise.withResolvers<PushOutcome>();
    let sent = 0;
    const queue = createPushQueue({
      send: () => {
        sent += 1;
        return hanging.promise;
      },
      onOutcome: () => undefined,
    });
    const added = Array.from({ length: 1_002 }, (_, index) => queue.add(message(String(index))));
    await Promise.resolve();
    expect(added.filter(Boolean)).toHaveLength(1_000);
    expect(sent).toBe(16);
    const stopped = queue.stop();
    hanging.resolve({ type: "sent" });
    await stopped;
    expect(sent).toBe(16);
  });
});
