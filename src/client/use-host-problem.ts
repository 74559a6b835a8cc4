import { useSyncExternalStore } from "react";
import { describeHostMismatch } from "@/lib/describe-host-mismatch";

/**
 * @param hosts of the request that has loaded the page, and of the server's public address.
 * @returns why this page cannot sign in, before anybody tries to.
 */
export const useHostProblem = (hosts: readonly string[]): string | undefined => {
  const browser = useSyncExternalStore(
    subscribeToNothing,
    // With encryption, browsers say themselves that a request is of this site.
    () => (window.isSecureContext ? "" : window.location.host),
    () => "",
  );
  const [request] = hosts;
  if (browser === "" || request === undefined || hosts.includes(browser)) return undefined;
  return describeHostMismatch({ browser, request });
};

const subscribeToNothing = () => () => undefined;
