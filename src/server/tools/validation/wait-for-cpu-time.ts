import { setTimeout as sleep } from "node:timers/promises";

/** Least time between two readings. */
const MIN_INTERVAL_MS = 10;

type CpuLimit = {
  /** Reads what a thread has used so far, in milliseconds. Rejects when the thread has ended. */
  readCpuMs: () => Promise<number>;
  cpuMs: number;
  /** Time after which it resolves in any case. */
  maxMs: number;
  /** Ends the wait. */
  signal: AbortSignal;
};

/**
 * Waits until a thread has used so much CPU time since the call: on a busy machine, a thread may get no processor for a
 * long time. Does not reject.
 */
export const waitForCpuTime = async ({
  readCpuMs,
  cpuMs,
  maxMs,
  signal,
}: CpuLimit): Promise<void> => {
  const wait = (ms: number) => sleep(ms, undefined, { signal });
  const waitForUse = async (): Promise<void> => {
    const end = (await readCpuMs()) + cpuMs;
    for (let left = cpuMs; left > 0 && !signal.aborted; left = end - (await readCpuMs())) {
      await wait(Math.max(left, MIN_INTERVAL_MS));
    }
  };
  await Promise.race([waitForUse(), wait(maxMs)]).catch(() => undefined);
};
