import { useSyncExternalStore } from "react";

/** Returns the address of this server as the browser knows it; empty on the server. */
export const useOrigin = (): string =>
  useSyncExternalStore(
    subscribeToNothing,
    () => window.location.origin,
    () => "",
  );

const subscribeToNothing = () => () => undefined;
