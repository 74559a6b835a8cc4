import type { TRPC_ERROR_CODE_KEY } from "@trpc/server";
import { ZodError } from "zod";
import { DomainError } from "@/contract/domain-error";
import type { ErrorCode, Problem } from "@/contract/problem";
import { closing } from "@/server/stream/shutdown";
import { fieldErrors } from "./field-errors";

/** The one place where a domain code meets a transport. */
export const TRANSPORT = {
  invalid: { status: 400, title: "Bad Request", trpc: "BAD_REQUEST" },
  unauthorized: { status: 401, title: "Unauthorized", trpc: "UNAUTHORIZED" },
  forbidden: { status: 403, title: "Forbidden", trpc: "FORBIDDEN" },
  not_found: { status: 404, title: "Not Found", trpc: "NOT_FOUND" },
  conflict: { status: 409, title: "Conflict", trpc: "CONFLICT" },
  payload_too_large: { status: 413, title: "Content Too Large", trpc: "PAYLOAD_TOO_LARGE" },
  unprocessable: { status: 422, title: "Unprocessable Content", trpc: "UNPROCESSABLE_CONTENT" },
  limit_exceeded: { status: 429, title: "Too Many Requests", trpc: "TOO_MANY_REQUESTS" },
  internal: { status: 500, title: "Internal Server Error", trpc: "INTERNAL_SERVER_ERROR" },
  unavailable: { status: 503, title: "Service Unavailable", trpc: "SERVICE_UNAVAILABLE" },
} as const satisfies Record<
  ErrorCode,
  { status: number; title: string; trpc: TRPC_ERROR_CODE_KEY }
>;

/**
 * Whatever was thrown, as the failure that a client is told of; a bug becomes `internal`.
 *
 * @param closed aborted when the process closes what requests need; no failure is a bug after that.
 */
export const toDomainError = (
  error: unknown,
  closed: AbortSignal = closing.signal,
): DomainError => {
  if (error instanceof DomainError) return error;
  if (error instanceof ZodError) {
    const errors = fieldErrors(error.issues);
    return new DomainError("invalid", summaryOf(errors), { errors, cause: error });
  }
  if (closed.aborted) return restarting(error);
  return new DomainError(
    "internal",
    "Something went wrong on our side. The request id finds it in the server's log.",
    { cause: error },
  );
};

/** The process is told to stop; another one, or the next, takes the same request. */
export const restarting = (cause?: unknown): DomainError =>
  new DomainError("unavailable", "The server is restarting. Try again in a moment.", {
    retryAfterSeconds: 1,
    cause,
  });

const summaryOf = (errors: DomainError["errors"]): string => {
  const [first] = errors;
  if (!first) return "The request is not valid.";
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return `${first.pointer === "" ? "The request" : first.pointer} ${first.message}${more}.`;
};

/** The failure as an RFC 9457 document. */
export const toProblem = (error: DomainError, requestId: string): Problem => {
  const { status, title } = TRANSPORT[error.code];
  return {
    type: "about:blank",
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.errors.length > 0 && { errors: error.errors }),
  };
};

/** What the failure says in headers, beside its document. */
export const problemHeaders = (error: DomainError): Record<string, string> => ({
  ...(error.code === "conflict" && !error.shouldRetry && { "x-should-retry": "false" }),
  ...(error.retryAfterSeconds !== undefined && {
    "retry-after": String(error.retryAfterSeconds),
  }),
  ...(error.code === "unauthorized" && { "www-authenticate": "Bearer" }),
});
