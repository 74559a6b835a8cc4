"use client";
import { AccountFrame } from "@/components/account/account-frame";
import { useHostProblem } from "@/client/use-host-problem";
import { useSignIn } from "@/client/use-account";
import { LoginForm } from "@/components/account/login-form";

type LoginScreenProps = {
  /** The page to go to after signing in. */
  returnPath: string;
  /** Those of the request, and of the server's public address. */
  hosts: readonly string[];
};

export const LoginScreen = ({ returnPath, hosts }: LoginScreenProps) => {
  const hostProblem = useHostProblem(hosts);
  const { submit, isBusy, problem } = useSignIn(returnPath);
  return (
    <AccountFrame title="Sign in" lead="Your chats are on this server." problem={hostProblem}>
      <LoginForm onSubmit={submit} isBusy={isBusy} error={problem?.detail} />
    </AccountFrame>
  );
};
