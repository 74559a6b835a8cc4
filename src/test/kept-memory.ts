import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { queryObjects } from "node:v8";
import { collectGarbage } from "./cpu-time";

/** Of each kind. */
const ACTIONS = 2_000;
/** Before the first measurement, for each action that is measured: what a process makes once, and caches that fill up. */
const WARM_UP = 0.1;

export type Kept = {
  /** What each action has left in the heap, in bytes. */
  heapBytes: number;
  /** What each action has left in buffers outside of the heap, in bytes. */
  bufferBytes: number;
  /** Objects that each action has left: unlike bytes, these are counted without what an allocator keeps for later. */
  objects: number;
  /** Open files and sockets that all actions have left together. */
  descriptors: number;
};

/**
 * Repeats an action.
 *
 * @param atOnce actions that run at the same time.
 * @param actions fewer than 2,000 only for what takes too long.
 * @returns the objects that remain, per action.
 */
export const measureKept = async (
  action: () => Promise<void>,
  { atOnce = 1, actions = ACTIONS } = {},
): Promise<Kept> => {
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
  await repeat(WARM_UP * actions);
  const before = await measureMemory();
  await repeat(actions);
  const after = await measureMemory();
  const kept = {
    heapBytes: (after.heapBytes - before.heapBytes) / actions,
    bufferBytes: (after.bufferBytes - before.bufferBytes) / actions,
    objects: (after.objects - before.objects) / actions,
    descriptors: after.descriptors - before.descriptors,
  };
  process.stdout.write(`kept by each of ${actions}: ${JSON.stringify(kept)}\n`);
  return kept;
};

/** What has ended closes its handles, and calls back, before it can be collected. */
const SETTLE_MS = 500;

const measureMemory = async (): Promise<Kept> => {
  await sleep(SETTLE_MS);
  collectGarbage();
  await sleep(SETTLE_MS);
  const objects = queryObjects(Object, { format: "count" });
  collectGarbage();
  const { heapUsed: heapBytes, arrayBuffers: bufferBytes } = process.memoryUsage();
  const descriptors = readdirSync("/proc/self/fd").length;
  return { heapBytes, bufferBytes, objects, descriptors };
};
