import type { TRPC_ERROR_CODE_KEY } from "@trpc/server";
import * as z from "zod";
import { DomainError } from "@/contract/domain-error";
import type { ErrorCode, Problem } from "@/contract/problem";
import { closing } from "@/server/stream/shutdown";
import { toFieldErrors } from "@/contract/field-errors";
import { isOversized } from "@/contract/tool-output";

/** HTTP status, title and tRPC code of each error code. */
export const TRANSPORT_BY_CODE = {
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
 * Converts a thrown value to a DomainError; an unexpected one becomes `internal`.
 *
 * @param closeSignal aborted when the process closes its resources; unexpected errors are
 *   `unavailable` from then on.
 */
export const toDomainError = (
  error: unknown,
  closeSignal: AbortSignal = closing.signal,
): DomainError => {
  if (error instanceof DomainError) return error;
  if (error instanceof z.ZodError) {
    const errors = toFieldErrors(error.issues);
    const code = error.issues.some(isOversized) ? "payload_too_large" : "invalid";
    return new DomainError(code, summarizeErrors(errors), { errors, cause: error });
  }
  if (closeSignal.aborted) return createRestartError(error);
  return new DomainError(
    "internal",
    "Something went wrong on our side. The request id finds it in the server's log.",
    { cause: error },
  );
};

/** Creates the error of a process that shuts down; a retry reaches another process. */
export const createRestartError = (cause?: unknown): DomainError =>
  new DomainError("unavailable", "The server is restarting. Try again in a moment.", {
    retryAfterSeconds: 1,
    cause,
  });

const summarizeErrors = (errors: DomainError["errors"]): string => {
  const [first] = errors;
  if (!first) return "The request is not valid.";
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return `${first.pointer === "" ? "The request" : first.pointer} ${first.message}${more}.`;
};

/** Converts an error to an RFC 9457 problem document. */
export const toProblem = (error: DomainError, requestId: string): Problem => {
  const { status, title } = TRANSPORT_BY_CODE[error.code];
  return {
    type: "about:blank",
    title,
    status,
    detail: error.message,
    code: error.code,
    ...(error.reason && { reason: error.reason }),
    ...(error.call && { call: error.call }),
    ...(error.chatId !== undefined && { chat_id: error.chatId }),
    request_id: requestId,
    ...(error.errors.length > 0 && { errors: error.errors }),
  };
};

/** Creates the response headers of an error. */
export const createProblemHeaders = (error: DomainError): Record<string, string> => ({
  ...(error.code === "conflict" && !error.shouldRetry && { "x-should-retry": "false" }),
  ...(error.retryAfterSeconds !== undefined && {
    "retry-after": String(error.retryAfterSeconds),
  }),
  ...(error.code === "unauthorized" && { "www-authenticate": "Bearer" }),
});
