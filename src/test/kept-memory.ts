import { setTimeout as sleep } from "node:timers/promises";
import { collectGarbage } from "./cpu-time";

/** Of each kind. */
const ACTIONS = 2_000;
/** Before the first measurement: what a process makes once. */
const WARM_UP = 200;

/**
 * Repeats an action 2,000 times.
 *
 * @param atOnce actions that run at the same time.
 * @returns what each has left in memory, in bytes: in the heap, and in buffers outside of it.
 */
export const measureKept = async (action: () => Promise<void>, atOnce = 1): Promise<number> => {
  const repeat = async (times: number): Promise<void> => {
    let left = times;
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await action();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  };
  await repeat(WARM_UP);
  const before = await measureMemory();
  await repeat(ACTIONS);
  const kept = ((await measureMemory()) - before) / ACTIONS;
  process.stdout.write(`${(kept / 1024).toFixed(2)} KB kept by each\n`);
  return kept;
};

/** What has ended closes its handles, and calls back, before it can be collected. */
const SETTLE_MS = 500;

const measureMemory = async (): Promise<number> => {
  await sleep(SETTLE_MS);
  collectGarbage();
  await sleep(SETTLE_MS);
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
