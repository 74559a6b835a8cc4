import { useMutation } from "@tanstack/react-query";
import type { Problem } from "@/contract/problem";
import { signIn, signOut, signUp } from "./account";
import { problemOf } from "./problem-of";

/** A load of the whole page, so that nothing of another session stays in memory. */
const goTo = (path: string) => (): void => window.location.assign(path);

type Form<Input> = {
  submit: (input: Input) => void;
  busy: boolean;
  problem: Problem | undefined;
};

const useForm = <Input>(send: (input: Input) => Promise<void>): Form<Input> => {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: send,
    onSuccess: goTo("/"),
  });
  const problem = error ? problemOf(error) : undefined;
  return { submit: mutate, busy: isPending || isSuccess, problem };
};

export const useSignIn = () => useForm(signIn);

export const useSignUp = () => useForm(signUp);

export const useSignOut = (): (() => void) => {
  const { mutate } = useMutation({ mutationFn: signOut, onSettled: goTo("/login") });
  return mutate;
};
