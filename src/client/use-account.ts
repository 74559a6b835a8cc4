import { useMutation } from "@tanstack/react-query";
import type { Credentials, NewOwnerInput } from "@/contract/account";
import type { Problem } from "@/contract/problem";
import { ProblemError, readProblem, toProblem } from "./to-problem";

/** Signs in and goes to a page. */
export const useSignIn = (returnPath: string) =>
  useAccountForm(returnPath, (credentials: Credentials) => post("sign-in/email", credentials));

/** Creates the owner's account, signs in and goes to the first page. */
export const useSignUp = () =>
  useAccountForm("/", (account: NewOwnerInput) => post("sign-up/email", account));

/** Signs out and goes to the sign-in page. */
export const useSignOut = (): (() => void) => {
  const { mutate } = useMutation({
    mutationFn: () => post("sign-out", {}),
    onSettled: goTo("/login"),
  });
  return mutate;
};

type AccountForm<Input> = {
  submit: (input: Input) => void;
  isBusy: boolean;
  problem: Problem | undefined;
};

const useAccountForm = <Input>(
  returnPath: string,
  send: (input: Input) => Promise<void>,
): AccountForm<Input> => {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: send,
    onSuccess: goTo(returnPath),
  });
  const problem = error ? toProblem(error) : undefined;
  return { submit: mutate, isBusy: isPending || isSuccess, problem };
};

/** Loads the whole page, so that no data of another session stays in memory. */
const goTo = (path: string) => (): void => window.location.assign(path);

const post = async (path: string, body: object): Promise<void> => {
  const response = await fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new ProblemError(await readProblem(response));
};
