import { collectGarbage, measureReferenceMs, readCpuMs } from "./cpu-time";

/** What `measureBlocking` may return: 50 ms where the reference takes 10 ms. */
export const MAX_BLOCKING = 5;

/**
 * Measures how long the event loop was blocked at most while a body ran, in CPU time of this thread.
 *
 * @returns multiples of the reference work, which is measured before and after.
 */
export const measureBlocking = async (body: () => Promise<unknown>): Promise<number> => {
  const before = await measureReferenceMs();
  collectGarbage();
  const longest = await measureLongestPiece(body);
  return longest / Math.max(before, await measureReferenceMs());
};

const measureLongestPiece = async (body: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let cpuAt = process.threadCpuUsage();
  const measure = (): void => {
    longest = Math.max(longest, readCpuMs(cpuAt));
    cpuAt = process.threadCpuUsage();
  };
  let timer = setImmediate(function tick() {
    measure();
    timer = setImmediate(tick);
  });
  try {
    await body();
  } finally {
    clearImmediate(timer);
  }
  measure();
  return longest;
};
