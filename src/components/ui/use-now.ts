import { useCallback, useSyncExternalStore } from "react";

/**
 * Subscribes to the browser's clock, rounded down to `intervalMs`.
 *
 * @param fixedNow replaces the clock in stories.
 * @returns milliseconds since 1970, or `undefined` on the server.
 */
export const useNow = (intervalMs: number, fixedNow?: number): number | undefined => {
  const subscribe = useCallback(
    (listener: () => void) => {
      if (fixedNow !== undefined) return () => undefined;
      const timer = setInterval(listener, intervalMs);
      return () => clearInterval(timer);
    },
    [intervalMs, fixedNow],
  );
  return useSyncExternalStore(
    subscribe,
    () => fixedNow ?? Math.floor(Date.now() / intervalMs) * intervalMs,
    () => fixedNow,
  );
};
