import { randomUUID } from "node:crypto";

/** The caller's own id, so that both sides' logs can be joined, or a new one. */
export const requestIdOf = (headers: Headers): string => {
  const given = headers.get("x-request-id");
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
};
