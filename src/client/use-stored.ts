import { useCallback, useSyncExternalStore } from "react";
import { localStore } from "./local-store";

/** Reads and writes one key of the local store; null when it is not set, and on the server. */
export const useStoredValue = (key: string): [string | null, (value: string | null) => void] => {
  const subscribe = useCallback(
    (listener: () => void) => localStore.subscribe(key, listener),
    [key],
  );
  const value = useSyncExternalStore(
    subscribe,
    () => localStore.get(key),
    () => null,
  );
  const setValue = useCallback((next: string | null) => localStore.set(key, next), [key]);
  return [value, setValue];
};
