import type { ServerResponse } from "node:http";
import { BODY_LENGTH_HEADER } from "@/lib/body-length";

/**
 * Sends the length that a route handler names, so that a download shows its progress and a client finds out when it
 * was broken off.
 */
export const restoreLength = (response: ServerResponse): void => {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) =>
    // Next sets each header of a route handler as a list.
    name === BODY_LENGTH_HEADER
      ? setHeader("content-length", String(value))
      : setHeader(name, value);
};
