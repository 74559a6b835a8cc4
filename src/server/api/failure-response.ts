import type { StoredResponse } from "./idempotency";
import { createProblemHeaders, toDomainError, toProblem } from "./problem";
import type { ApiLog } from "./request-log";

export const PROBLEM_HEADERS = {
  "content-type": "application/problem+json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

type RequestInfo = { request: Request; requestId: string; log: ApiLog };

/** Converts a thrown value to a problem response; logs unexpected errors with the request id. */
export const toFailureResponse = (
  thrown: unknown,
  { request, requestId, log }: RequestInfo,
): StoredResponse => {
  const error = toDomainError(thrown);
  if (error.code === "internal") {
    const { pathname: path } = new URL(request.url);
    log.error({ err: error.cause, requestId, method: request.method, path }, "a request failed");
  }
  const problem = toProblem(error, requestId);
  return {
    status: problem.status,
    headers: { ...PROBLEM_HEADERS, ...createProblemHeaders(error) },
    body: JSON.stringify(problem),
  };
};
