import { setTimeout as sleep } from "node:timers/promises";
import type { Pace } from "./remove-tree";

/** How long a removal works without a rest, in milliseconds: others wait no longer. */
const WORK_MS = 10;
/** How long it rests, in multiples of the time that it has worked: two thirds of the disk's time are left to others. */
const REST = 2;
/** The longest rest, where the disk was so slow that one removal took seconds. */
const MAX_REST_MS = 1_000;
/** How long a process that stops goes on, without rests: the next start removes what is left. */
const MAX_END_MS = 2_000;

/**
 * Creates a pace at which other work of the process and of the disk goes on.
 *
 * @param stopping is aborted when the process stops. Rejects some time after that.
 */
export const createRemovalPace = (stopping: AbortSignal): Pace => {
  let workingSince = performance.now();
  let stoppingSince: number | undefined;
  return async () => {
    const now = performance.now();
    if (stopping.aborted) {
      stoppingSince ??= now;
      if (now - stoppingSince > MAX_END_MS) stopping.throwIfAborted();
      return;
    }
    const workedMs = now - workingSince;
    if (workedMs < WORK_MS) return;
    const restMs = Math.min(REST * workedMs, MAX_REST_MS);
    await sleep(restMs, undefined, { signal: stopping }).catch(() => undefined);
    workingSince = performance.now();
  };
};
