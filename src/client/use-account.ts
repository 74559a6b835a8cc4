import { useMutation } from "@tanstack/react-query";
import type { Problem } from "@/contract/problem";
import { signIn, signOut, signUp } from "./account";
import { toProblem } from "./to-problem";

/** Loads the whole page, so that no data of another session stays in memory. */
const goTo = (path: string) => (): void => window.location.assign(path);

type AccountForm<Input> = {
  submit: (input: Input) => void;
  isBusy: boolean;
  problem: Problem | undefined;
};

const useAccountForm = <Input>(send: (input: Input) => Promise<void>): AccountForm<Input> => {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: send,
    onSuccess: goTo("/"),
  });
  const problem = error ? toProblem(error) : undefined;
  return { submit: mutate, isBusy: isPending || isSuccess, problem };
};

export const useSignIn = () => useAccountForm(signIn);

export const useSignUp = () => useAccountForm(signUp);

export const useSignOut = (): (() => void) => {
  const { mutate } = useMutation({ mutationFn: signOut, onSettled: goTo("/login") });
  return mutate;
};
