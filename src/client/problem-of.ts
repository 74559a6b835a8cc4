import { TRPCClientError } from "@trpc/client";
import type { Problem } from "@/contract/problem";
import { Problem as ProblemSchema } from "@/contract/problem";

/** Whatever a call to the server failed with, as the problem that people are told of. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof TRPCClientError) {
    const data: unknown = error.data;
    const told = ProblemSchema.safeParse(
      typeof data === "object" && data !== null && "problem" in data ? data.problem : undefined,
    );
    if (told.success) return told.data;
  }
  return UNREACHABLE;
};

/** A refusal of an endpoint that is no procedure. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** The problem document of a refused answer. */
export const problemOfResponse = async (response: Response): Promise<Problem> => {
  const body: unknown = await response.json().catch(() => undefined);
  const told = ProblemSchema.safeParse(body);
  return told.success ? told.data : { ...UNREACHABLE, status: response.status };
};

const UNREACHABLE: Problem = {
  type: "about:blank",
  title: "Service Unavailable",
  status: 503,
  detail: "The server cannot be reached. Check the connection and try again.",
  code: "unavailable",
  request_id: "",
};
