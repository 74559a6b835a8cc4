import { useCallback, useSyncExternalStore } from "react";
import { localStore } from "./local-store";

/** A text that the browser keeps under a name; null when there is none, and on the server. */
export const useStored = (key: string): [string | null, (value: string | null) => void] => {
  const subscribe = useCallback((changed: () => void) => localStore.subscribe(key, changed), [key]);
  const value = useSyncExternalStore(
    subscribe,
    () => localStore.get(key),
    () => null,
  );
  const set = useCallback((next: string | null) => localStore.set(key, next), [key]);
  return [value, set];
};
