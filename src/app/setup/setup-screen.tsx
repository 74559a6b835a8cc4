"use client";
import { AccountFrame } from "@/app/account-frame";
import { useSignUp } from "@/client/use-account";
import { SetupForm } from "@/components/forms/setup-form";

export const SetupScreen = () => {
  const { submit, isBusy, problem } = useSignUp();
  return (
    <AccountFrame
      title="Welcome to Parley"
      lead="Make the owner’s account. It is stored on this server only."
    >
      <SetupForm onSubmit={submit} isBusy={isBusy} problem={problem} />
    </AccountFrame>
  );
};
