"use client";
import { usePathname } from "next/navigation";
import {
  type ComponentProps,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useRef,
} from "react";
import { MainArea } from "@/components/ui/main-area";
import type { SessionUser } from "@/server/auth/sessions";
import { useAppearance } from "@/client/use-appearance";
import { useIsCommandWaiting, useIsOffline } from "@/client/use-connection";
import { useSingleAccount } from "@/client/use-single-account";
import { useIsPageWaiting } from "@/client/use-navigate";
import type { Appearance } from "@/contract/appearance";
import type { ChatRowActions } from "@/components/sidebar/chat-menu-items";
import { Sidebar } from "@/components/sidebar/sidebar";
import { UndoNotice, type UndoNoticeProps } from "@/components/sidebar/undo-notice";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { MenuItem } from "@/components/ui/open-menu";
import { importPart } from "@/lib/import-part";
import { OfflineNotice } from "@/components/ui/offline-notice";
import { useIsHydrated } from "@/components/ui/use-is-hydrated";
import {
  type Shell,
  ShellActionsContext,
  ShellCommandsContext,
  ShellContext,
} from "./shell-context";
import { useShellKeys } from "./use-shell-keys";
import { useSidebarState } from "./use-sidebar-state";
import { useSidebar } from "./use-sidebar";

const WaitingSigns = lazy(() => importPart(() => import("./waiting-signs")));

type AppShellProps = { user: SessionUser; initialAppearance: Appearance; children: ReactNode };

/** The sidebar and the current page; the sidebar keeps its state across pages. */
export const AppShell = ({ user, initialAppearance, children }: AppShellProps) => {
  const activeChatId = /^\/chats\/([^/]+)/.exec(usePathname())?.[1];
  const { props, errorMessage, dismissError, areWaitingLoaded } = useSidebar(activeChatId);
  const { appearance, changeAppearance } = useAppearance(initialAppearance);
  useSingleAccount(user.id);
  const listed = findListed(props, activeChatId);
  const { onOpenChange, actions } = props;
  const waitingCount = props.waitingChats.length;
  const pageItemsRef = useRef<readonly MenuItem[]>([]);
  const look = { appearance, changeAppearance };
  const { openSidebar, toggleSidebar } = useSidebarState({ ...look, openDrawer: onOpenChange });
  const { overlay, close, showPalette, showShortcuts } = useShellKeys({
    toggleSidebar,
    pageItemsRef,
  });
  const shell = useShellValue({
    user,
    ...listed,
    waitingCount,
    openSidebar,
    ...look,
    pageItemsRef,
  });
  return (
    <ShellContext value={shell}>
      <SkipLink />
      <LateSigns
        activeChatId={activeChatId}
        waitingChats={props.waitingChats}
        areLoaded={areWaitingLoaded}
      />
      <div className="flex h-dvh min-w-0 overflow-hidden print:block print:h-auto">
        <Sidebar
          {...props}
          user={user}
          theme={appearance.theme}
          onThemeChange={(theme) => changeAppearance({ theme })}
          onHide={toggleSidebar}
          onOpenPalette={showPalette}
          onShowShortcuts={showShortcuts}
        />
        <Page
          activeChatId={activeChatId}
          actions={actions}
          lastAction={props.lastAction}
          errorMessage={errorMessage}
          onDismiss={dismissError}
        >
          {children}
        </Page>
      </div>
      <ShellCommandsContext
        value={{ navigate: actions.onNavigate, toggleSidebar, markAllRead: props.onMarkAllRead }}
      >
        {overlay && <overlay.Content {...overlay} onClose={close} showShortcuts={showShortcuts} />}
      </ShellCommandsContext>
    </ShellContext>
  );
};

/** Signs outside of the page, which come after it. */
const LateSigns = (props: ComponentProps<typeof WaitingSigns>) =>
  useIsHydrated() && (
    <Suspense>
      <WaitingSigns {...props} />
    </Suspense>
  );

/** The same object until one of its values changes, so that pages do not render again. */
const useShellValue = (shell: Shell): Shell => {
  const { user, listedChat, parentTitle, waitingCount, openSidebar, ...rest } = shell;
  const { appearance, changeAppearance, pageItemsRef } = rest;
  return useMemo(
    () => ({
      user,
      listedChat,
      parentTitle,
      waitingCount,
      openSidebar,
      appearance,
      changeAppearance,
      pageItemsRef,
    }),
    [
      user,
      listedChat,
      parentTitle,
      waitingCount,
      openSidebar,
      appearance,
      changeAppearance,
      pageItemsRef,
    ],
  );
};

/**
 * Syncs with the focus of the browser: without a focused message field, keyboard users would go through the rest of the
 * list to get to the chat that they have opened there.
 */
const useMainFocus = (activeChatId: string | undefined) => {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    if (document.activeElement?.closest("nav")) main.current?.focus({ preventScroll: true });
  }, [activeChatId]);
  return main;
};

type PageProps = NoticesProps & {
  activeChatId: string | undefined;
  actions: ChatRowActions;
  children: ReactNode;
};

const Page = ({ activeChatId, actions, children, ...notices }: PageProps) => (
  <MainArea
    ref={useMainFocus(activeChatId)}
    id="main"
    tabIndex={-1}
    className="relative flex min-w-0 flex-1 flex-col outline-none print:block short:overflow-y-auto"
  >
    <Notices {...notices} />
    <ShellActionsContext value={actions}>{children}</ShellActionsContext>
  </MainArea>
);

type NoticesProps = UndoNoticeProps & { errorMessage: string | undefined; onDismiss: () => void };

const Notices = ({ lastAction, errorMessage, onDismiss }: NoticesProps) => (
  <>
    <OfflineNotice
      isOffline={useIsOffline()}
      isPageWaiting={useIsPageWaiting()}
      isCommandWaiting={useIsCommandWaiting()}
    />
    <NarrowUndoNotice lastAction={lastAction} />
    {errorMessage !== undefined && <ListError message={errorMessage} onDismiss={onDismiss} />}
  </>
);

type Listed = Pick<ReturnType<typeof useSidebar>["props"], "chats" | "waitingChats">;

/** The chat on the screen as it is in the chat list, and the title of its parent. */
const findListed = ({ chats, waitingChats }: Listed, activeChatId: string | undefined) => {
  const listed = [...chats, ...waitingChats];
  const listedChat = listed.find(({ id }) => id === activeChatId);
  const parentTitle = listed.find(({ id }) => id === listedChat?.parent_chat_id)?.title;
  return { listedChat, parentTitle };
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
