import type { IncomingMessage } from "node:http";
import { isRest } from "./serve-rest";

type CorsRequest = Pick<IncomingMessage, "method" | "url" | "headers">;

export type CorsAnswer = {
  headers: Record<string, string>;
  /** Whether the browser asks first, which is the whole answer. */
  isPreflight: boolean;
};

const NONE: CorsAnswer = { headers: {}, isPreflight: false };

/** What browsers ask for once in ten minutes. */
const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers":
    "authorization, content-type, idempotency-key, last-event-id, if-match, prefer, x-request-id",
  "access-control-max-age": "600",
};

const EXPOSED = "location, retry-after, x-should-retry, x-request-id, idempotency-replayed";

/**
 * Creates what lets pages of some origins use REST with a key or a token. A page of another origin gets nothing by the
 * session of its visitor: cookies are never allowed, and a request without a key gets no header.
 */
export const createCors = (origins: readonly string[]) => {
  const allowed = new Set(origins);
  return ({ method, url = "", headers }: CorsRequest): CorsAnswer => {
    if (!isRest(url)) return NONE;
    const isPreflight =
      method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
    if (allowed.size === 0) return { headers: {}, isPreflight };
    const { origin = "", authorization = "" } = headers;
    const isAllowed = allowed.has(origin) && (isPreflight || /^bearer /i.test(authorization));
    return {
      headers: {
        vary: "Origin",
        ...(isAllowed && { "access-control-allow-origin": origin }),
        ...(isAllowed &&
          (isPreflight ? PREFLIGHT_HEADERS : { "access-control-expose-headers": EXPOSED })),
      },
      isPreflight,
    };
  };
};
