import type { ApiLog } from "./api-log";
import type { KeptAnswer } from "./idempotency";
import { problemHeaders, toDomainError, toProblem } from "./problem";

export const PROBLEM_TYPE = { "content-type": "application/problem+json" };

type Exchange = { request: Request; requestId: string; log: ApiLog };

/** A failure as an answer; what is a bug goes to the log with the id that the client sees. */
export const failureAnswer = (
  thrown: unknown,
  { request, requestId, log }: Exchange,
): KeptAnswer => {
  const error = toDomainError(thrown);
  if (error.code === "internal") {
    const { pathname: path } = new URL(request.url);
    log.error({ err: error.cause, requestId, method: request.method, path }, "a request failed");
  }
  const problem = toProblem(error, requestId);
  return {
    status: problem.status,
    headers: { ...PROBLEM_TYPE, ...problemHeaders(error) },
    body: JSON.stringify(problem),
  };
};
