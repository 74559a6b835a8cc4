/** The server answers a look within milliseconds; a longer silence is a lost network. */
const LOOK_TIMEOUT_MS = 5_000;
/** How soon a person who waits for a page gets it when the server is back. */
const RETRY_DELAY_MS = 1_000;

type NavigatorDeps = {
  /** Whether the server answers; it does not throw. */
  look: (signal: AbortSignal) => Promise<boolean>;
  /** Resolves after a time, and early when the signal is aborted; it does not throw. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>;
};

/**
 * Opens pages when the server answers. Next loads a page that it cannot fetch as a document, and the browser would then
 * show its own error page in place of the application (ADR 0070).
 */
export const createNavigator = ({ look, delay }: NavigatorDeps) => {
  let current: AbortController | undefined;
  let isWaiting = false;
  const listeners = new Set<() => void>();
  const setWaiting = (next: boolean): void => {
    if (isWaiting === next) return;
    isWaiting = next;
    listeners.forEach((listener) => listener());
  };

  return {
    /** Calls `push` as soon as the server answers; a newer call replaces this one. */
    open: async (push: () => void): Promise<void> => {
      current?.abort();
      const attempt = new AbortController();
      current = attempt;
      const { signal } = attempt;
      const isReachable = (): Promise<boolean> =>
        look(AbortSignal.any([signal, AbortSignal.timeout(LOOK_TIMEOUT_MS)]));
      while (!signal.aborted && !(await isReachable())) {
        if (signal.aborted) return;
        setWaiting(true);
        await delay(RETRY_DELAY_MS, signal);
      }
      if (signal.aborted) return;
      setWaiting(false);
      push();
    },
    /** Cancels a navigation that waits for the server. */
    cancel: (): void => {
      current?.abort();
      setWaiting(false);
    },
    /** Whether a page waits for the server. */
    isWaiting: (): boolean => isWaiting,
    /** @returns a function that unsubscribes. */
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
