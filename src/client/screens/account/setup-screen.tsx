"use client";
import { AccountFrame } from "@/components/account/account-frame";
import { useSignUp } from "@/client/use-account";
import { SetupForm } from "@/components/account/setup-form";

type SetupScreenProps = {
  /** From the link that the server printed. */
  setupCode: string | undefined;
};

export const SetupScreen = ({ setupCode }: SetupScreenProps) => {
  const { submit, isBusy, problem } = useSignUp();
  return (
    <AccountFrame
      title="Welcome to Parley"
      lead="Make the owner’s account. It is stored on this server only."
    >
      <SetupForm
        onSubmit={(account) => submit({ ...account, setup_code: setupCode })}
        isBusy={isBusy}
        problem={problem}
      />
    </AccountFrame>
  );
};
