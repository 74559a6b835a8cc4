"use client";
import { AccountFrame } from "@/components/account/account-frame";
import { useSignIn } from "@/client/use-account";
import { LoginForm } from "@/components/account/login-form";

type LoginScreenProps = {
  /** The page to go to after signing in. */
  returnPath: string;
};

export const LoginScreen = ({ returnPath }: LoginScreenProps) => {
  const { submit, isBusy, problem } = useSignIn(returnPath);
  return (
    <AccountFrame title="Sign in" lead="Your chats are on this server.">
      <LoginForm onSubmit={submit} isBusy={isBusy} error={problem?.detail} />
    </AccountFrame>
  );
};
