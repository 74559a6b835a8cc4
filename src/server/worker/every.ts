/**
 * Runs work again and again: after each pause, and as soon as it is asked for, but never twice
 * at a time. A request while it runs makes it run once more.
 *
 * @param onError hears of every rejection; the work goes on.
 */
export const every = (
  pauseMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
) => {
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  const now = (): void => {
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    again = false;
    running = work()
      .catch(onError)
      .finally(() => {
        running = undefined;
        if (again) now();
      });
  };
  const timer = setInterval(now, pauseMs);

  return {
    now,
    /** Resolves when the work that is running has ended. */
    stop: async (): Promise<void> => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
};
