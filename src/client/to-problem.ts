import type { Problem } from "@/contract/problem";

/** Converts any error of a server call to a problem; unknown errors count as unreachable. */
export const toProblem = (error: unknown): Problem => {
  if (error instanceof ProblemError) return error.problem;
  const data: unknown = error instanceof Error && "data" in error ? error.data : undefined;
  const problem =
    typeof data === "object" && data !== null && "problem" in data ? data.problem : undefined;
  return isProblem(problem) ? problem : UNREACHABLE;
};

/** Whether a call has failed because the server could not be reached. */
export const isUnreachable = (error: unknown): boolean => {
  const { code, request_id: requestId } = toProblem(error);
  return code === UNREACHABLE.code && requestId === UNREACHABLE.request_id;
};

/** An error response of an endpoint that is not a tRPC procedure. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** Reads the problem document from an error response. */
export const readProblem = async (response: Response): Promise<Problem> => {
  const body: unknown = await response.json().catch(() => undefined);
  return isProblem(body) ? body : { ...UNREACHABLE, status: response.status };
};

/** Recognizes the server's own errors: a proxy in front of it may answer with other JSON. */
const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" &&
  value !== null &&
  ["title", "detail", "code", "request_id"].every(
    (key) => key in value && typeof value[key as keyof typeof value] === "string",
  );

const UNREACHABLE: Problem = {
  type: "about:blank",
  title: "Service Unavailable",
  status: 503,
  detail: "The server cannot be reached. Check the connection and try again.",
  code: "unavailable",
  request_id: "",
};
