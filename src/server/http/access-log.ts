import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { RecordMeter } from "@/server/metrics/meters";
import { openRequestRecord, REQUEST_RECORD_HEADER } from "@/server/request-record";
import { METHODS } from "./check-request";

type AccessLogDeps = {
  log: Logger;
  record: RecordMeter;
  /** Finds the pattern of a request's target, of which there is a limited number. Must not throw. */
  findRoutePattern: (target: string) => string;
};

/** Requests of machines, and the files of pages. */
const QUIET = new Set(["/healthz", "/readyz", "/metrics", "/_next/*"]);

/** The status of a request whose client was gone before its answer, as other servers log it. */
const GIVEN_UP = 499;

/**
 * Creates the observer of requests. It logs and counts each one when its answer has been sent, or its client is gone:
 * a stream at its end.
 */
export const createAccessLog = ({ log, record, findRoutePattern }: AccessLogDeps) => {
  // The search for secrets would be four fifths of the cost of a line, whose fields are all known.
  const lines = log.child({}, { redact: [] });
  return (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = performance.now();
    // Next rewrites it.
    const { method = "", url = "" } = request;
    const { name, record: found, close } = openRequestRecord();
    request.headers[REQUEST_RECORD_HEADER] = name;
    response.once("close", () => {
      close();
      const route = findRoutePattern(url);
      const status = response.headersSent ? response.statusCode : GIVEN_UP;
      const level = QUIET.has(route) && status < 400 ? "debug" : "info";
      lines[level](
        {
          method,
          route,
          status,
          ms: Math.round(performance.now() - startedAt),
          requestId: toText(response.getHeader("x-request-id")),
          keyId: found.keyId,
          aborted: response.writableFinished ? undefined : true,
        },
        "request",
      );
      const label = METHODS.includes(method) ? method : "other";
      record("httpRequests", { method: label, route, status: String(status) });
    });
  };
};

/** Next sets each header as a list. */
const toText = (header: ReturnType<ServerResponse["getHeader"]>): string | undefined =>
  header === undefined ? undefined : String(header);
