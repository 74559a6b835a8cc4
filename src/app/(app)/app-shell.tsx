"use client";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import type { SessionUser } from "@/app/session";
import { useSignOut } from "@/client/use-account";
import { useChatList } from "@/client/use-chat-list";
import { useListActions } from "@/client/use-list-actions";
import { useSeen } from "@/client/use-seen";
import { Sidebar } from "@/components/sidebar/sidebar";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { ShellContext } from "./shell-context";

type AppShellProps = { user: SessionUser; children: ReactNode };

/** The list of chats beside the page; it stays while pages change. */
export const AppShell = ({ user, children }: AppShellProps) => {
  const router = useRouter();
  const activeChatId = /^\/chats\/([^/]+)/.exec(usePathname())?.[1];
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const [archived, setArchived] = useState(false);
  const list = useChatList({ archived, q: useDeferredValue(search.trim()) });
  const { isUnread } = useSeen();
  const signOut = useSignOut();
  const act = useListActions((deleted) => {
    if (deleted === activeChatId) router.push("/");
  });
  const { chats } = list;
  const shell = useMemo(
    () => ({
      user,
      openSidebar: () => setOpen(true),
      findChat: (chatId: string) => chats.find(({ id }) => id === chatId),
    }),
    [user, chats],
  );
  const navigate = (href: string): void => {
    setOpen(false);
    router.push(href);
  };
  return (
    <ShellContext value={shell}>
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 shadow-popup focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to the chat
      </a>
      <div className="flex h-dvh min-w-0 overflow-hidden">
        <Sidebar
          chats={chats.map((chat) => ({ ...chat, unread: isUnread(chat) }))}
          activeChatId={activeChatId}
          actions={{
            onNavigate: navigate,
            onPin: act.pin,
            onRename: act.rename,
            onArchive: act.archive,
            onDelete: act.remove,
          }}
          search={search}
          onSearchChange={setSearch}
          archived={archived}
          onArchivedChange={setArchived}
          loading={list.loading}
          error={list.error}
          hasMore={list.hasMore}
          loadingMore={list.loadingMore}
          onLoadMore={list.loadMore}
          user={user}
          onSignOut={signOut}
          open={open}
          onOpenChange={setOpen}
        />
        <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
          {act.failure !== undefined && (
            <ListFailure sentence={act.failure} onDismiss={act.dismiss} />
          )}
          {children}
        </main>
      </div>
    </ShellContext>
  );
};

const ListFailure = ({ sentence, onDismiss }: { sentence: string; onDismiss: () => void }) => (
  <div className="p-3">
    <Alert
      tone="danger"
      announce="alert"
      title={sentence}
      action={
        <Button size="sm" onClick={onDismiss}>
          Dismiss
        </Button>
      }
    />
  </div>
);
