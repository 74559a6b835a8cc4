"use client";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { MainArea } from "@/components/ui/main-area";
import type { SessionUser } from "@/server/auth/sessions";
import { useAppearance } from "@/client/use-appearance";
import { useChatNotifications } from "@/client/use-chat-notifications";
import { useIsCommandWaiting, useIsOffline } from "@/client/use-connection";
import { useSingleAccount } from "@/client/use-single-account";
import { useIsPageWaiting } from "@/client/use-navigate";
import { useWaitingBadge } from "@/client/use-waiting-badge";
import type { Appearance } from "@/contract/appearance";
import { Sidebar } from "@/components/sidebar/sidebar";
import { UndoNotice, type UndoNoticeProps } from "@/components/sidebar/undo-notice";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { OfflineNotice } from "@/components/ui/offline-notice";
import { ShellActionsContext, ShellContext } from "./shell-context";
import { useSidebar } from "./use-sidebar";

type AppShellProps = { user: SessionUser; initialAppearance: Appearance; children: ReactNode };

/** The sidebar and the current page; the sidebar keeps its state across pages. */
export const AppShell = ({ user, initialAppearance, children }: AppShellProps) => {
  const activeChatId = /^\/chats\/([^/]+)/.exec(usePathname())?.[1];
  const { props, errorMessage, dismissError, areWaitingLoaded } = useSidebar(activeChatId);
  const { appearance, changeAppearance } = useAppearance(initialAppearance);
  useSingleAccount(user.id);
  const listed = [...props.chats, ...props.waitingChats];
  const listedChat = listed.find(({ id }) => id === activeChatId);
  const parentTitle = listed.find(({ id }) => id === listedChat?.parent_chat_id)?.title;
  const { onOpenChange, actions, waitingChats } = props;
  const waitingCount = waitingChats.length;
  useWaitingBadge(waitingCount);
  useChatNotifications(activeChatId, areWaitingLoaded ? waitingChats : undefined);
  const main = useRef<HTMLElement>(null);
  // Syncs with the focus of the browser: without a focused message field, keyboard users would go through the rest of the
  // list to get to the chat that they have opened there.
  useEffect(() => {
    if (document.activeElement?.closest("nav")) main.current?.focus({ preventScroll: true });
  }, [activeChatId]);
  const shell = useMemo(
    () => ({
      user,
      listedChat,
      parentTitle,
      waitingCount,
      openSidebar: () => onOpenChange(true),
      appearance,
      changeAppearance,
    }),
    [user, listedChat, parentTitle, waitingCount, onOpenChange, appearance, changeAppearance],
  );
  return (
    <ShellContext value={shell}>
      <SkipLink />
      <div className="flex h-dvh min-w-0 overflow-hidden print:block print:h-auto">
        <Sidebar
          {...props}
          user={user}
          theme={appearance.theme}
          onThemeChange={(theme) => changeAppearance({ theme })}
          onOpenSettings={() => actions.onNavigate("/settings")}
        />
        <MainArea
          ref={main}
          id="main"
          tabIndex={-1}
          className="relative flex min-w-0 flex-1 flex-col outline-none print:block short:overflow-y-auto"
        >
          <OfflineNotice
            isOffline={useIsOffline()}
            isPageWaiting={useIsPageWaiting()}
            isCommandWaiting={useIsCommandWaiting()}
          />
          <NarrowUndoNotice lastAction={props.lastAction} />
          {errorMessage !== undefined && (
            <ListError message={errorMessage} onDismiss={dismissError} />
          )}
          <ShellActionsContext value={actions}>{children}</ShellActionsContext>
        </MainArea>
      </div>
    </ShellContext>
  );
};

/** The chat list, which shows it too, is hidden on narrow screens. */
const NarrowUndoNotice = (props: UndoNoticeProps) => (
  <div className="md:hidden">
    <UndoNotice {...props} />
  </div>
);

const SkipLink = () => (
  <a
    href="#main"
    data-screen-only
    className="sr-only z-50 rounded-md bg-raised px-3 py-2 shadow-popup focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
  >
    Skip to the chat
  </a>
);

const ListError = ({ message, onDismiss }: { message: string; onDismiss: () => void }) => (
  <div className="p-3">
    <Alert
      tone="danger"
      announce="alert"
      title={message}
      action={
        <Button size="sm" onClick={onDismiss}>
          Dismiss
        </Button>
      }
    />
  </div>
);
