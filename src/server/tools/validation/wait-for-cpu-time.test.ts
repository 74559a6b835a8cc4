import { expect, it } from "vitest";
import { waitForCpuTime } from "./wait-for-cpu-time";

const NEVER_MS = 3_600_000;

/** A thread that has used a time already, and uses one millisecond between two readings. */
const createSlowThread = (usedMs: number) => {
  let readings = 0;
  return {
    readCpuMs: () => Promise.resolve(usedMs + readings++),
    readings: () => readings,
  };
};

it("waits for the CPU time of a thread that is slow, however long it takes", async () => {
  const thread = createSlowThread(500);
  const { signal } = new AbortController();
  await waitForCpuTime({ readCpuMs: thread.readCpuMs, cpuMs: 5, maxMs: NEVER_MS, signal });
  expect(thread.readings()).toBe(6);
});

it.each([
  ["uses none", () => Promise.resolve(0)],
  ["does not answer", () => Promise.withResolvers<number>().promise],
])("ends at its limit of time for a thread that %s", async (_what, readCpuMs) => {
  const { signal } = new AbortController();
  await expect(
    waitForCpuTime({ readCpuMs, cpuMs: NEVER_MS, maxMs: 20, signal }),
  ).resolves.toBeUndefined();
});

it("ends when it is aborted, and when the thread has ended", async () => {
  const controller = new AbortController();
  const limits = { cpuMs: NEVER_MS, maxMs: NEVER_MS, signal: controller.signal };
  const waiting = waitForCpuTime({ readCpuMs: () => Promise.resolve(0), ...limits });
  const ended = () => Promise.reject(new Error("the thread has ended"));
  await expect(waitForCpuTime({ readCpuMs: ended, ...limits })).resolves.toBeUndefined();
  controller.abort();
  await expect(waiting).resolves.toBeUndefined();
});
