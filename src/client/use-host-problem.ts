import { useSyncExternalStore } from "react";
import { describeHostMismatch } from "@/lib/describe-host-mismatch";

/**
 * @param hosts of the request that has loaded the page, and of the server's public address.
 * @returns why this page cannot sign in, before anybody tries to.
 */
export const useHostProblem = (hosts: readonly string[]): string | undefined => {
  const origin = useSyncExternalStore(
    subscribeToNothing,
    // With encryption, browsers say themselves that a request is of this site.
    () => (window.isSecureContext ? "" : window.location.origin),
    () => "",
  );
  const [request] = hosts;
  if (origin === "" || request === undefined) return undefined;
  return hosts.includes(new URL(origin).host)
    ? undefined
    : describeHostMismatch({ origin, request });
};

const subscribeToNothing = () => () => undefined;
