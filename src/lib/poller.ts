/** Longer than all calls of one run may take together. */
const MAX_RUN_MS = 60_000;
/** Timers may fire a little early; work that is not due yet would then be left to the next interval. */
const TIMER_SLACK_MS = 2;

type PollerOptions = {
  /** By default it runs only when it is triggered. */
  intervalMs?: number;
  run: () => Promise<void>;
  /** Receives every failure; the poller goes on. */
  onError: (error: unknown) => void;
  /** A run that takes longer counts as lost, and the next one begins. */
  maxRunMs?: number;
  /** True: it does not keep the process alive. */
  isBackground?: boolean;
};

export type Poller = ReturnType<typeof createPoller>;

/**
 * Runs work after each interval, if there is one, and whenever it is triggered, but never twice at a time, unless a run is
 * lost: one call without an end must not stop the work for good. A trigger while the work runs makes it
 * run once more.
 */
export const createPoller = ({
  intervalMs,
  run,
  onError,
  maxRunMs = MAX_RUN_MS,
  isBackground = false,
}: PollerOptions) => {
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
    running = endWithin(run, maxRunMs)
      .catch(onError)
      .finally(() => {
        running = undefined;
        if (isTriggered) trigger();
      });
  };
  const timer = intervalMs === undefined ? undefined : setInterval(trigger, intervalMs);
  if (isBackground) timer?.unref();
  const later = new Set<NodeJS.Timeout>();

  return {
    trigger,
    /** Triggers when a time has passed, if the poller is not stopped by then. */
    triggerAfter: (ms: number): void => {
      if (isStopped) return;
      const wake = setTimeout(() => {
        later.delete(wake);
        trigger();
      }, ms + TIMER_SLACK_MS);
      later.add(wake);
    },
    /** Resolves when the work that is running has ended. */
    stop: async (): Promise<void> => {
      isStopped = true;
      clearInterval(timer);
      later.forEach((wake) => clearTimeout(wake));
      await running;
    },
  };
};

const endWithin = async (run: () => Promise<void>, limitMs: number): Promise<void> => {
  const lost = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    lost.reject(new Error(`a run did not end within ${limitMs / 1_000} s and counts as lost`));
  }, limitMs);
  try {
    await Promise.race([run(), lost.promise]);
  } finally {
    clearTimeout(timer);
  }
};
