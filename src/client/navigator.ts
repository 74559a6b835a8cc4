type NavigatorDeps = {
  /** Whether the server answers; it does not throw. */
  look: (signal: AbortSignal) => Promise<boolean>;
  /** Resolves before the next look, and early when the signal is aborted; it does not throw. */
  delay: (signal: AbortSignal) => Promise<void>;
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
      while (!signal.aborted && !(await look(signal))) {
        if (signal.aborted) return;
        setWaiting(true);
        await delay(signal);
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
