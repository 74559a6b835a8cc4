/**
 * Runs work after each interval and whenever it is triggered, but never twice at a time. A trigger
 * while the work runs makes it run once more.
 *
 * @param onError receives every rejection; the poller goes on.
 */
export const createPoller = (
  intervalMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
) => {
  let running: Promise<void> | undefined;
  let isTriggered = false;
  let isStopped = false;

  const trigger = (): void => {
    if (isStopped) return;
    if (running) {
      isTriggered = true;
      return;
    }
    isTriggered = false;
    running = work()
      .catch(onError)
      .finally(() => {
        running = undefined;
        if (isTriggered) trigger();
      });
  };
  const timer = setInterval(trigger, intervalMs);

  return {
    trigger,
    /** Resolves when the work that is running has ended. */
    stop: async (): Promise<void> => {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
};
