import { useSyncExternalStore } from "react";

const subscribe = (): (() => void) => () => undefined;

/** Returns false in the HTML of the server and until React has taken it over. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
