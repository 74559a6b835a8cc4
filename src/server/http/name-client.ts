import type { IncomingMessage } from "node:http";
import { isLoopback } from "@/lib/is-loopback";
import { CLIENT_ADDRESS_HEADER, UNKNOWN_CLIENT } from "@/server/client-address";
import { createClientFinder } from "./find-client";

const FORWARDING_HEADERS = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Creates the function that names a request's client to the handlers, because the framework would believe what the
 * client sent. It removes the headers on forwarding that no trusted proxy has set.
 *
 * @param trustedProxies addresses and networks (CIDR) of the proxies whose forwarding headers are believed.
 */
export const createClientNamer = (trustedProxies: readonly string[]) => {
  const { isProxy, findClient } = createClientFinder(trustedProxies);
  return ({ headers, socket }: IncomingMessage): void => {
    const { remoteAddress = UNKNOWN_CLIENT } = socket;
    const isFromProxy = isProxy(remoteAddress);
    const client = findClient({
      remoteAddress,
      forwardedFor: headers["x-forwarded-for"]?.toString(),
    });
    // A proxy on this machine that is not named would make all its clients look local.
    const isHidden =
      !isFromProxy && isLoopback(client) && FORWARDING_HEADERS.some((name) => name in headers);
    if (!isFromProxy) for (const name of FORWARDING_HEADERS) delete headers[name];
    headers[CLIENT_ADDRESS_HEADER] = isHidden ? UNKNOWN_CLIENT : client;
  };
};
