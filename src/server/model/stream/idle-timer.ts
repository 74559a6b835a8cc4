/**
 * Creates a timer that calls `onIdle` once, after `limitMs` without a `touch`. A touch is only an
 * assignment, because it happens for each part: the timer checks the last one when it fires.
 */
export const createIdleTimer = (limitMs: number, onIdle: () => void) => {
  let limit = limitMs;
  let lastActiveAt = performance.now();

  const check = (): void => {
    const remainingMs = lastActiveAt + limit - performance.now();
    if (remainingMs <= 0) onIdle();
    else timer = setTimeout(check, remainingMs);
  };
  let timer = setTimeout(check, limit);

  return {
    /** @param at `performance.now()`. */
    touch: (at: number): void => {
      lastActiveAt = at;
    },
    /** Changes the limit and restarts the timer; without effect when the limit is the same. */
    setLimit: (ms: number): void => {
      if (ms === limit) return;
      limit = ms;
      clearTimeout(timer);
      timer = setTimeout(check, ms);
    },
    stop: (): void => clearTimeout(timer),
  };
};
