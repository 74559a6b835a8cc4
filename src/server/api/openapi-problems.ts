import { referToHeaders } from "./openapi-headers";
import type { Json } from "./openapi-schemas";

/** What is said of refusals besides the problem document, which all have. */
const RESPONSES = {
  Problem: { description: "What is wrong (RFC 9457)", headers: referToHeaders() },
  Unauthorized: {
    description: "No valid key, token or session",
    headers: referToHeaders("Authenticate"),
  },
  MethodNotAllowed: {
    description: "The path has other methods",
    headers: referToHeaders("Allow"),
  },
  Conflict: {
    description: "Not in the present state; `reason` says why",
    headers: referToHeaders("ShouldRetry", "RetryAfter"),
  },
  Misdirected: {
    description: "The server is not known by the host of the request",
    headers: referToHeaders(),
  },
  TooManyRequests: {
    description: "More than the server takes; with `Retry-After`, a repetition may succeed",
    headers: referToHeaders("RetryAfter"),
  },
  Unavailable: {
    description: "The server restarts, or has no database. Nothing has changed",
    headers: referToHeaders("RetryAfter"),
  },
};

const BY_STATUS: Record<number, keyof typeof RESPONSES> = {
  401: "Unauthorized",
  405: "MethodNotAllowed",
  409: "Conflict",
  421: "Misdirected",
  429: "TooManyRequests",
  503: "Unavailable",
};

/** Whatever the operation is. */
const ALWAYS = [405, 421, 503];

export const READ_ERROR_STATUSES = [400, 401, 403, 404, 429, 500];
export const WRITE_ERROR_STATUSES = [400, 401, 403, 404, 409, 413, 422, 429, 500];

/** The named responses. @param problem the schema of the problem document. */
export const createProblemComponents = (problem: unknown): Json =>
  Object.fromEntries(
    Object.entries(RESPONSES).map(([name, response]) => [
      name,
      { ...response, content: { "application/problem+json": { schema: problem } } },
    ]),
  );

export const referToProblems = (statuses: readonly number[]): Json =>
  Object.fromEntries(
    [...statuses, ...ALWAYS].map((status) => [
      status,
      { $ref: `#/components/responses/${BY_STATUS[status] ?? "Problem"}` },
    ]),
  );
