const callbacks: (() => void)[] = [];
let isScheduled = false;

const runNext = (): void => {
  isScheduled = false;
  callbacks.pop()?.();
  if (callbacks.length > 0) schedule();
};

const schedule = (): void => {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(runNext);
};

/**
 * Runs a callback in a frame of its own, so that many small changes of the page leave it time to react. The newest
 * one runs first, as a chat shows its end.
 *
 * @returns a function that cancels it.
 */
export const runInFrame = (callback: () => void): (() => void) => {
  callbacks.push(callback);
  schedule();
  return () => {
    const index = callbacks.indexOf(callback);
    if (index !== -1) callbacks.splice(index, 1);
  };
};
