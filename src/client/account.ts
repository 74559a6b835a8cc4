import { z } from "zod";
import type { NewOwner } from "@/contract/account";
import type { Problem } from "@/contract/problem";
import { ProblemError, problemOfResponse } from "./problem-of";

/** @throws {ProblemError} */
export const signIn = (credentials: { email: string; password: string }): Promise<void> =>
  post("sign-in/email", credentials);

/** Makes the owner's account and signs in. @throws {ProblemError} */
export const signUp = (account: NewOwner): Promise<void> => post("sign-up/email", account);

/** @throws {ProblemError} */
export const signOut = (): Promise<void> => post("sign-out", {});

const post = async (path: string, body: object): Promise<void> => {
  const response = await fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new ProblemError(await refusalOf(response));
};

/** The library behind sign-in refuses in its own words. */
const Refusal = z.object({ code: z.string(), message: z.string() });

const refusalOf = async (response: Response): Promise<Problem> => {
  const problem = await problemOfResponse(response.clone());
  const told = Refusal.safeParse(await response.json().catch(() => undefined));
  if (!told.success || problem.request_id !== "") return problem;
  const detail =
    response.status === 401 ? "The email address or the password is wrong." : told.data.message;
  const code = response.status === 401 ? "unauthorized" : "invalid";
  return { ...problem, status: response.status, code, detail };
};
