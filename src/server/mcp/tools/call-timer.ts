/** A time limit that can stand still. */
export type CallTimer = ReturnType<typeof createCallTimer>;

/** @param onEnd is called once the time has passed, without the pauses. */
export const createCallTimer = (timeoutMs: number, onEnd: () => void) => {
  let left = timeoutMs;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    start: (): void => {
      if (timer !== undefined) return;
      startedAt = performance.now();
      timer = setTimeout(onEnd, left);
    },
    pause: (): void => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      left = Math.max(0, left - (performance.now() - startedAt));
    },
  };
};
