import { LRUCache } from "lru-cache";

/** Failures without a delay, for typing errors. */
const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 5 * 60_000;
/** After this time without an attempt, failures are forgotten. */
const TTL_MS = 60 * 60_000;
/** Bounds the memory; the failure that was touched least recently is forgotten first. */
const MAX_ENTRIES = 10_000;

type Failures = { count: number; blockedUntilMs: number };

/** Delays the next attempt after failures: from the fifth on by 1 s, which doubles to 5 min. */
export const createSignInBackoff = () => {
  const failures = new LRUCache<string, Failures>({ max: MAX_ENTRIES, ttl: TTL_MS });

  return {
    /**
     * Counts an attempt as failed until `succeed` or `cancel`, so that attempts at the same time
     * cannot all pass.
     *
     * @returns milliseconds to wait; 0 if the attempt may begin and is counted.
     */
    begin: (key: string): number => {
      const now = performance.now();
      const { count, blockedUntilMs } = failures.get(key) ?? { count: 0, blockedUntilMs: 0 };
      if (blockedUntilMs > now) return blockedUntilMs - now;
      failures.set(key, {
        count: count + 1,
        blockedUntilMs: now + calculateDelay(count + 1),
      });
      return 0;
    },
    /** Begins the delay anew, because a check may take longer than the first delays. */
    fail: (key: string): void => {
      const count = failures.get(key)?.count ?? 0;
      failures.set(key, { count, blockedUntilMs: performance.now() + calculateDelay(count) });
    },
    succeed: (key: string): void => {
      failures.delete(key);
    },
    /** Takes back an attempt that was not decided. */
    cancel: (key: string): void => {
      const count = (failures.get(key)?.count ?? 0) - 1;
      if (count > 0) failures.set(key, { count, blockedUntilMs: 0 });
      else failures.delete(key);
    },
  };
};

const calculateDelay = (failures: number): number =>
  failures < FREE_FAILURES
    ? 0
    : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES));
