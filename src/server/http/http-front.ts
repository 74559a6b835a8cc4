import { randomUUID } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Problem } from "@/contract/problem";
import { isLoopback } from "@/lib/is-loopback";
import { CLIENT_ADDRESS_HEADER, UNKNOWN_CLIENT } from "@/server/client-address";
import { createHostCheck, type HostSettings } from "./allowed-hosts";
import { checkRequest, type Refusal } from "./check-request";
import { createClientFinder } from "./find-client";
import { reportOutage } from "./outage-status";

export type FrontSettings = HostSettings & {
  /** Addresses and networks of the proxies whose forwarding headers are believed. */
  trustedProxies: readonly string[];
};

type FrontDeps = {
  settings: FrontSettings;
  /** True while the process shuts down. */
  isDraining: () => boolean;
  /** False while the database is unreachable. */
  isDatabaseReachable: () => boolean;
  /** Handles the requests that passed the checks. */
  handle: (request: IncomingMessage, response: ServerResponse) => void;
};

const FORWARDING_HEADERS = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Creates the listeners in front of all handlers. They refuse what no handler should see, and name the
 * client's address to the handlers, because the framework would believe what the client sent.
 */
export const createHttpFront = ({ settings, handle, ...state }: FrontDeps) => {
  const isAllowedHost = createHostCheck(settings);
  const { isProxy, findClient } = createClientFinder(settings.trustedProxies);

  /** @returns why the request is refused; undefined if it was admitted. */
  const admit = (request: IncomingMessage): Refusal | undefined => {
    const isFromProxy = isProxy(request.socket.remoteAddress ?? "");
    const refusal = checkRequest(request, { isAllowedHost, isFromProxy, ...state });
    if (!refusal) setClientAddress(request, { isFromProxy, findClient });
    return refusal;
  };

  return {
    handleRequest: (request: IncomingMessage, response: ServerResponse): void => {
      const refusal = admit(request);
      if (refusal) return refuse(request, response, refusal);
      reportOutage(response, state.isDatabaseReachable);
      handle(request, response);
    },
    /** Creates a listener that passes admitted upgrades on to an emitter's listeners. */
    toUpgradeHandler:
      (target: EventEmitter) =>
      (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
        const refusal = admit(request);
        if (refusal) socket.end(`HTTP/1.1 ${refusal.status} ${refusal.title}\r\n\r\n`);
        else target.emit("upgrade", request, socket, head);
      },
  };
};

type ClientDeps = Pick<ReturnType<typeof createClientFinder>, "findClient"> & {
  isFromProxy: boolean;
};

const setClientAddress = (
  { headers, socket }: IncomingMessage,
  { isFromProxy, findClient }: ClientDeps,
): void => {
  const { remoteAddress = UNKNOWN_CLIENT } = socket;
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

const refuse = (request: IncomingMessage, response: ServerResponse, refusal: Refusal): void => {
  const { status, headers } = refusal;
  const requestId = randomUUID();
  const isPage = request.headers.accept?.includes("text/html") ?? false;
  const body = isPage ? toPage(refusal) : JSON.stringify(toProblem(refusal, requestId));
  response
    .writeHead(status, {
      "content-type": isPage ? "text/html; charset=utf-8" : "application/problem+json",
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
      // The body was not read, so the connection cannot carry another request.
      connection: "close",
      ...headers,
    })
    .end(body);
};

const toProblem = ({ status, title, code, detail }: Refusal, requestId: string): Problem => ({
  type: "about:blank",
  title,
  status,
  detail,
  code,
  request_id: requestId,
});

/** A page without scripts or styles of its own; it loads again by itself when the refusal is temporary. */
const toPage = ({ title, detail, headers }: Refusal): string => {
  const seconds = headers?.["retry-after"];
  const reload = seconds ? `<meta http-equiv="refresh" content="${seconds}">` : "";
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">${reload}<title>${title} · Parley</title>
<h1>${title}</h1><p>${detail}</p></html>
`;
};
