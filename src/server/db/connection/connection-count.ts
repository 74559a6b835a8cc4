import { type EventLoopUtilization, performance } from "node:perf_hooks";

/** How often it is decided. */
const WINDOW_MS = 50;
/** After a longer time without statements, nothing is known of it. */
const MAX_WINDOW_MS = 500;
/** How often a connection fewer is tried. */
const SHRINK_MS = 1_000;
/** The share of the time in which the connections have to be busy, and the process idle. */
const BUSY_SHARE = 0.8;
const IDLE_SHARE = 0.3;

type CountOptions = {
  /** Most connections. */
  max: number;
  /** For how long, in milliseconds, the first connections were busy, in all. */
  readBusyMs: (count: number) => number;
  /** The process's clock, and for how long it has waited for something, in milliseconds. */
  readTimes?: () => { now: number; idleMs: number };
};

const readProcessTimes = () => {
  const { idle }: EventLoopUtilization = performance.eventLoopUtilization();
  return { now: performance.now(), idleMs: idle };
};

/**
 * Decides how many connections single statements are spread over. One is cheapest, as many statements share each read and write
 * of its socket, and the process is the limit. Where the process waits for the connections, which happens on a server whose disk
 * takes long to flush, more of them commit together.
 *
 * @returns a function that returns the number for the next statement.
 */
export const createConnectionCount = ({
  max,
  readBusyMs,
  readTimes = readProcessTimes,
}: CountOptions): (() => number) => {
  let count = 1;
  let shrunkAt = 0;
  const begin = () => {
    const { now, idleMs } = readTimes();
    return { now, idleMs, busyMs: readBusyMs(count) };
  };
  let window = begin();

  const decide = (elapsed: number): void => {
    const { now, idleMs } = readTimes();
    const busy = (readBusyMs(count) - window.busyMs) / (elapsed * count);
    const idle = (idleMs - window.idleMs) / elapsed;
    if (busy >= BUSY_SHARE && idle >= IDLE_SHARE) {
      count = Math.min(count * 2, max);
      shrunkAt = now;
    } else if (now - shrunkAt >= SHRINK_MS) {
      count = Math.max(count - 1, 1);
      shrunkAt = now;
    }
  };
  return () => {
    const elapsed = readTimes().now - window.now;
    if (elapsed < WINDOW_MS) return count;
    if (elapsed <= MAX_WINDOW_MS) decide(elapsed);
    else count = 1;
    window = begin();
    return count;
  };
};
