import { setTimeout as sleep } from "node:timers/promises";
import { collectGarbage } from "./cpu-time";

/** Requests come as those of a person who looks at chats. */
const REQUEST_PAUSE_MS = 5;

/** Repeats a request until a condition is true. @returns the times that requests have taken, sorted, in milliseconds. */
export const measureRequests = async (
  request: () => Promise<unknown>,
  isOver: () => boolean | Promise<boolean>,
): Promise<number[]> => {
  const times: number[] = [];
  collectGarbage();
  while (!(await isOver())) {
    const startedAt = performance.now();
    await request();
    times.push(performance.now() - startedAt);
    await sleep(REQUEST_PAUSE_MS);
  }
  return times.sort((a, b) => a - b);
};

/** @returns the time within which a share of the requests was answered. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? NaN;
