import type { DomainError } from "@/contract/domain-error";
import { appMetrics } from "@/server/metrics/app-metrics";
import type { StoredResponse } from "@/server/db/chats/rows";
import { createProblemHeaders, toDomainError, toProblem } from "./problem";
import { PRIVATE_HEADERS } from "./response-headers";

export const PROBLEM_HEADERS = { "content-type": "application/problem+json", ...PRIVATE_HEADERS };

/** Logs internal errors, with the id of the request. */
export type ApiLog = { error: (fields: object, message: string) => void };

type RequestInfo = { request: Pick<Request, "method" | "url">; requestId: string; log: ApiLog };

/** Converts a thrown value to a problem response; logs unexpected errors with the request id. */
export const toFailureResponse = (
  thrown: unknown,
  { request, requestId, log }: RequestInfo,
): StoredResponse => {
  const error = toDomainError(thrown);
  countConflict(error);
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

/** Counts a refusal, once. Reasons are a closed list of the server. */
export const countConflict = ({ code, reason }: DomainError): void => {
  if (code === "conflict") appMetrics().record("conflicts", { reason: reason ?? "other" });
};
