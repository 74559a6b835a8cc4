import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { createHostCheck, type HostSettings } from "./allowed-hosts";
import { checkRequest, type Refusal } from "./check-request";
import { createClientNamer } from "./name-client";
import { createCors } from "./cors";
import { reportOutage } from "./outage-status";
import { toRefusalAnswer } from "./refusal-answer";

export type FrontSettings = HostSettings & {
  /** Origins whose pages may use REST with a key or a token. */
  corsOrigins: readonly string[];
  /** Addresses and networks of the proxies whose forwarding headers are believed. */
  trustedProxies: readonly string[];
};

type FrontDeps = {
  settings: FrontSettings;
  /** True while the process shuts down. */
  isDraining: () => boolean;
  /** False while the database is unreachable. */
  isDatabaseReachable: () => boolean;
  /** True once some data of the database could not be read. */
  isDatabaseDamaged: () => boolean;
  /** Called with each request before it is checked. */
  observe: (request: IncomingMessage, response: ServerResponse) => void;
  /** Handles the requests that passed the checks. */
  handle: (request: IncomingMessage, response: ServerResponse) => void;
};

/**
 * Creates the listeners in front of all handlers. They refuse what no handler should see, and name the
 * client's address to the handlers, because the framework would believe what the client sent.
 */
export const createHttpFront = ({ settings, observe, handle, ...state }: FrontDeps) => {
  const isAllowedHost = createHostCheck(settings);
  const findCors = createCors(settings.corsOrigins);
  const nameClient = createClientNamer(settings.trustedProxies);

  /** @returns why the request is refused; undefined if it was admitted. */
  const admit = (request: IncomingMessage): Refusal | undefined => {
    nameClient(request);
    return checkRequest(request, { isAllowedHost, ...state });
  };

  return {
    handleRequest: (request: IncomingMessage, response: ServerResponse): void => {
      observe(request, response);
      const cors = findCors(request);
      // Also on a refusal, which the page could not read otherwise.
      for (const [name, value] of Object.entries(cors.headers)) response.setHeader(name, value);
      const refusal = admit(request);
      if (refusal) return refuse(request, response, refusal);
      if (cors.isPreflight) {
        response.writeHead(204).end();
        return;
      }
      reportOutage(response, () => !state.isDatabaseReachable() || state.isDatabaseDamaged());
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

const refuse = (request: IncomingMessage, response: ServerResponse, refusal: Refusal): void => {
  const { status, headers, body } = toRefusalAnswer(refusal, request.headers.accept);
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(body);
};
