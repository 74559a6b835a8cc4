import { randomUUID } from "node:crypto";

/** Logs internal errors, with the id of the request. */
export type ApiLog = { error: (fields: object, message: string) => void };

/** Returns the client's request id, which correlates both logs, or a new one. */
export const getRequestId = (headers: Headers): string => {
  const given = headers.get("x-request-id");
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
};
