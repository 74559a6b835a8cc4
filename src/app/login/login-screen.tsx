"use client";
import { AccountFrame } from "@/app/account-frame";
import { useSignIn } from "@/client/use-account";
import { LoginForm } from "@/components/forms/login-form";

export const LoginScreen = () => {
  const { submit, isBusy, problem } = useSignIn();
  return (
    <AccountFrame title="Sign in" lead="Your chats are on this server.">
      <LoginForm onSubmit={submit} isBusy={isBusy} error={problem?.detail} />
    </AccountFrame>
  );
};
