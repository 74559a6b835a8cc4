import type { ServerResponse } from "node:http";

const INTERNAL_ERROR = 500;
const UNAVAILABLE = 503;

/** How soon a client may try again, in seconds. */
export const OUTAGE_RETRY_SECONDS = 5;

/**
 * Gives a page that fails as the database goes away, or cannot read its data, the status of an outage: the framework has
 * none but 500 for it. While the database is away, later pages are refused before they begin.
 */
export const reportOutage = (response: ServerResponse, isOutage: () => boolean): void => {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (status !== INTERNAL_ERROR || !isOutage()) return writeHead(status, ...rest);
    response.setHeader("retry-after", String(OUTAGE_RETRY_SECONDS));
    return writeHead(UNAVAILABLE, ...rest);
  };
};
