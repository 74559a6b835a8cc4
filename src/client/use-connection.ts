import { useEffect, useState, useSyncExternalStore } from "react";
import type { Problem } from "@/contract/problem";
import { isLoopback } from "@/lib/is-loopback";
import { getBrowserStream } from "./browser-stream";
import { isUnreachable, toProblem } from "./to-problem";

/** Whether the server cannot be reached, as far as the browser and the stream over all chats know. */
export const useIsOffline = (): boolean => {
  const [isReconnecting, setIsReconnecting] = useState(false);
  const hasNetwork = useSyncExternalStore(
    subscribeToNetwork,
    // A browser without a network still reaches a server on its own machine.
    () => navigator.onLine || isLoopback(window.location.hostname),
    () => true,
  );
  // Syncs with the browser's shared stream.
  useEffect(
    () =>
      getBrowserStream().subscribeToWatch({
        onEvents: () => undefined,
        onState: (state) => setIsReconnecting(state === "reconnecting"),
      }),
    [],
  );
  return isReconnecting || !hasNetwork;
};

const subscribeToNetwork = (listener: () => void): (() => void) => {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
};

/**
 * Converts the error of a command for the page. That the server could not be reached is shown only until it can be
 * reached again.
 */
export const useProblem = (error: unknown): Problem | undefined => {
  const isOffline = useIsOffline();
  const [wasOffline, setWasOffline] = useState(isOffline);
  const [outdated, setOutdated] = useState<unknown>();
  if (isOffline !== wasOffline) {
    setWasOffline(isOffline);
    if (!isOffline && isUnreachable(error)) setOutdated(error);
  }
  return error && error !== outdated ? toProblem(error) : undefined;
};
