import { z } from "zod";
import type { NewOwner } from "@/contract/account";
import type { Problem } from "@/contract/problem";
import { ProblemError, readProblem } from "./to-problem";

/** @throws {ProblemError} when the credentials are rejected or the server cannot be reached. */
export const signIn = (credentials: { email: string; password: string }): Promise<void> =>
  post("sign-in/email", credentials);

/** Creates the owner's account and signs in. @throws {ProblemError} */
export const signUp = (account: NewOwner): Promise<void> => post("sign-up/email", account);

/** @throws {ProblemError} */
export const signOut = (): Promise<void> => post("sign-out", {});

const post = async (path: string, body: object): Promise<void> => {
  const response = await fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new ProblemError(await readAuthProblem(response));
};

/** The error body of the sign-in library, which is not a problem document. */
const AuthErrorBody = z.object({ code: z.string(), message: z.string() });

const readAuthProblem = async (response: Response): Promise<Problem> => {
  const problem = await readProblem(response.clone());
  const body = AuthErrorBody.safeParse(await response.json().catch(() => undefined));
  if (!body.success || problem.request_id !== "") return problem;
  const detail =
    response.status === 401 ? "The email address or the password is wrong." : body.data.message;
  const code = response.status === 401 ? "unauthorized" : "invalid";
  return { ...problem, status: response.status, code, detail };
};
