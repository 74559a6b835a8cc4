"use client";
import { toLoadable } from "@/app/(app)/settings/to-loadable";
import { useShell } from "@/app/(app)/shell-context";
import { useSessions } from "@/client/use-sessions";
import { AccountDetails } from "@/components/settings/account-details";
import { ChangePasswordForm } from "@/components/settings/change-password-form";
import { SessionList } from "@/components/settings/session-list";

const AccountPage = () => {
  const { name, email } = useShell().user;
  const sessions = useSessions();
  const { query } = sessions;
  return (
    <div className="grid gap-10">
      <AccountDetails name={name} email={email} />
      <ChangePasswordForm
        email={email}
        onSubmit={sessions.changePassword}
        isBusy={sessions.isChangingPassword}
        isChanged={sessions.isPasswordChanged}
        problem={sessions.passwordProblem}
      />
      <SessionList
        sessions={toLoadable(query)}
        onReload={() => {
          query.refetch().catch(reportError);
        }}
        onEnd={sessions.end}
        endingIds={sessions.endingIds}
        isEnded={sessions.isEnded}
        problem={sessions.endProblem}
      />
    </div>
  );
};
export default AccountPage;
