"use client";
import { usePathname } from "next/navigation";
import { type ReactNode, useMemo } from "react";
import type { SessionUser } from "@/server/auth/sessions";
import type { Theme } from "@/client/theme";
import { Sidebar } from "@/components/sidebar/sidebar";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { ShellContext } from "./shell-context";
import { useSidebar } from "./use-sidebar";

type AppShellProps = { user: SessionUser; initialTheme: Theme; children: ReactNode };

/** The sidebar and the current page; the sidebar keeps its state across pages. */
export const AppShell = ({ user, initialTheme, children }: AppShellProps) => {
  const activeChatId = /^\/chats\/([^/]+)/.exec(usePathname())?.[1];
  const { props, errorMessage, dismissError } = useSidebar({ activeChatId, initialTheme });
  const listedChat = props.chats.find(({ id }) => id === activeChatId);
  const { onOpenChange, actions } = props;
  const shell = useMemo(
    () => ({ user, listedChat, openSidebar: () => onOpenChange(true) }),
    [user, listedChat, onOpenChange],
  );
  return (
    <ShellContext value={shell}>
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 shadow-popup focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to the chat
      </a>
      <div className="flex h-dvh min-w-0 overflow-hidden">
        <Sidebar {...props} user={user} onOpenSettings={() => actions.onNavigate("/settings")} />
        <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
          {errorMessage !== undefined && (
            <ListError message={errorMessage} onDismiss={dismissError} />
          )}
          {children}
        </main>
      </div>
    </ShellContext>
  );
};

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
