"use client";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useShell } from "@/client/screens/shell/shell-context";
import { useSessions } from "@/client/use-sessions";
import { AccountDetails } from "@/components/account/account-details";
import { ChangePasswordForm } from "@/components/account/change-password-form";
import { SessionList } from "@/components/account/session-list";
import { PageSection } from "@/components/ui/page-section";

export const AccountScreen = () => {
  const { name, email } = useShell().user;
  const sessions = useSessions();
  const { query } = sessions;
  return (
    <PageSection isPage title="Account">
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
        onReload={toReload(query)}
        onEnd={sessions.end}
        endingIds={sessions.endingIds}
        isEnded={sessions.isEnded}
        problem={sessions.endProblem}
      />
    </PageSection>
  );
};
