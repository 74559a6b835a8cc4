/** The time that a call may take. */
export type Deadline = {
  /** Aborted when the time is over. */
  signal: AbortSignal;
  /** Lets the time stand still. @returns a function that lets it go on, at most once. */
  pause: () => () => void;
  /** Ends it without an abort. */
  clear: () => void;
};

/** Starts a deadline, which stands still while the call waits for others. */
export const startDeadline = (ms: number): Deadline => {
  const controller = new AbortController();
  let pauses = 0;
  let left = ms;
  let runsSince = performance.now();
  const start = (): NodeJS.Timeout => setTimeout(() => controller.abort(), left);
  let timer = start();
  const resume = (): void => {
    pauses -= 1;
    if (pauses > 0) return;
    runsSince = performance.now();
    timer = start();
  };
  return {
    signal: controller.signal,
    pause: () => {
      if (pauses === 0) {
        clearTimeout(timer);
        left -= performance.now() - runsSince;
      }
      pauses += 1;
      let isPaused = true;
      return () => {
        if (isPaused) resume();
        isPaused = false;
      };
    },
    clear: () => {
      clearTimeout(timer);
      left = Number.POSITIVE_INFINITY;
    },
  };
};
