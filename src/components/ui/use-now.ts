import { useCallback, useSyncExternalStore } from "react";

/**
 * The browser's clock, rounded down to `everyMs`; renders again as often.
 *
 * @param fixed takes the clock's place, so that a story always shows the same.
 * @returns milliseconds since 1970, or `undefined` on the server.
 */
export const useNow = (everyMs: number, fixed?: number): number | undefined => {
  const subscribe = useCallback(
    (changed: () => void) => {
      if (fixed !== undefined) return () => undefined;
      const timer = setInterval(changed, everyMs);
      return () => clearInterval(timer);
    },
    [everyMs, fixed],
  );
  return useSyncExternalStore(
    subscribe,
    () => fixed ?? Math.floor(Date.now() / everyMs) * everyMs,
    () => fixed,
  );
};
