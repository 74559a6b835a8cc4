"use client";
import { AccountFrame } from "@/components/account/account-frame";
import { useHostProblem } from "@/client/use-host-problem";
import { useSignUp } from "@/client/use-account";
import { SetupForm } from "@/components/account/setup-form";

type SetupScreenProps = {
  /** From the link that the server printed. */
  setupCode: string | undefined;
  /** Those of the request, and of the server's public address. */
  hosts: readonly string[];
};

export const SetupScreen = ({ setupCode, hosts }: SetupScreenProps) => {
  const hostProblem = useHostProblem(hosts);
  const { submit, isBusy, problem } = useSignUp();
  return (
    <AccountFrame
      title="Welcome to Parley"
      lead="Make the owner’s account. It is stored on this server only."
      problem={hostProblem}
    >
      <SetupForm
        onSubmit={(account) => submit({ ...account, setup_code: setupCode })}
        isBusy={isBusy}
        problem={problem}
      />
    </AccountFrame>
  );
};
