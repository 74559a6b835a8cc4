import { useEffect, useState, useSyncExternalStore } from "react";
import type { Problem } from "@/contract/problem";
import { isLoopback } from "@/lib/is-loopback";
import { getBrowserStream } from "./browser-stream";
import { waitForServer } from "./reach-server";
import { isUnreachable, toProblem } from "./to-problem";
import { countWaitingCommands, subscribeToWaitingCommands } from "./waiting-commands";

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

/** Whether a command waits for the server. */
export const useIsCommandWaiting = (): boolean =>
  useSyncExternalStore(
    subscribeToWaitingCommands,
    () => countWaitingCommands() > 0,
    () => false,
  );

/**
 * Converts the error of a command for the page. That the server could not be reached is shown only until it can be
 * reached again.
 */
export const useProblem = (error: unknown): Problem | undefined => {
  const [outdated, setOutdated] = useState<unknown>();
  // Syncs with the server: no event says that it is back, as the page may have kept its other connections.
  useEffect(() => {
    if (!isUnreachable(error)) return undefined;
    const end = new AbortController();
    waitForServer(end.signal)
      // What has failed while the server was there is still news.
      .then((wasAway) => wasAway && !end.signal.aborted && setOutdated(error))
      .catch(reportError);
    return () => end.abort();
  }, [error]);
  return error && error !== outdated ? toProblem(error) : undefined;
};
