import { TRPCClientError } from "@trpc/client";
import type { Problem } from "@/contract/problem";
import { Problem as ProblemSchema } from "@/contract/problem";

/** Converts any error of a server call to a problem; unknown errors count as unreachable. */
export const toProblem = (error: unknown): Problem => {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof TRPCClientError) {
    const data: unknown = error.data;
    const parsed = ProblemSchema.safeParse(
      typeof data === "object" && data !== null && "problem" in data ? data.problem : undefined,
    );
    if (parsed.success) return parsed.data;
  }
  return UNREACHABLE;
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
  const parsed = ProblemSchema.safeParse(body);
  return parsed.success ? parsed.data : { ...UNREACHABLE, status: response.status };
};

const UNREACHABLE: Problem = {
  type: "about:blank",
  title: "Service Unavailable",
  status: 503,
  detail: "The server cannot be reached. Check the connection and try again.",
  code: "unavailable",
  request_id: "",
};
