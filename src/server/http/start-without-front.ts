import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { env } from "@/server/env";
import { markReady } from "@/server/stream/readiness";
import { createClientNamer } from "./name-client";

/** Node publishes each request here before the listeners of its server see it. */
const REQUEST_CHANNEL = "http.server.request.start";

/**
 * Does what the HTTP front does for all requests, in a process whose server Next creates itself, as `next start` does.
 * Its handlers do not see the socket, so the client is named before.
 */
export const startWithoutFront = (): void => {
  const { port, trustedProxies } = env();
  const nameClient = createClientNamer(trustedProxies);
  subscribe(REQUEST_CHANNEL, (message) => {
    const { request } = message as { request: IncomingMessage };
    // The process has other servers, whose requests must stay as they are.
    if (request.socket.localPort === port) nameClient(request);
  });
  markReady();
};
