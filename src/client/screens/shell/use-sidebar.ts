import { useDeferredValue, useState } from "react";
import { useSignOut } from "@/client/use-account";
import { useChatList, useWaitingChats } from "@/client/use-chat-list";
import { useListActions } from "@/client/use-list-actions";
import { useNavigate } from "@/client/use-navigate";
import type { ChatSummary } from "@/contract/chat";

/** Returns the state and actions of the sidebar. */
export const useSidebar = (activeChatId: string | undefined) => {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const [archived, setArchived] = useState(false);
  const { loadMore, retry, ...list } = useChatList({
    archived,
    q: useDeferredValue(search.trim()),
  });
  const loadedWaiting = useWaitingChats();
  const waitingChats = loadedWaiting ?? [];
  const signOut = useSignOut();
  const listActions = useListActions((deletedId) => {
    if (deletedId === activeChatId) navigate("/");
  });
  const isListed = ({ id }: ChatSummary): boolean => !listActions.pendingIds.has(id);
  return {
    errorMessage: listActions.errorMessage,
    dismissError: listActions.dismissError,
    areWaitingLoaded: loadedWaiting !== undefined,
    props: {
      ...list,
      onLoadMore: loadMore,
      onRetry: retry,
      chats: list.chats.filter(isListed),
      waitingChats: waitingChats.filter(isListed),
      lastAction: listActions.lastAction,
      activeChatId,
      actions: {
        onNavigate: (href: string): void => {
          setOpen(false);
          navigate(href);
        },
        onPin: listActions.pin,
        onRename: listActions.rename,
        onArchive: listActions.archive,
        onDelete: listActions.remove,
      },
      search,
      onSearchChange: setSearch,
      archived,
      onArchivedChange: setArchived,
      onMarkAllRead: listActions.markAllRead,
      onSignOut: (): void => {
        listActions.finishDeletions().then(signOut).catch(reportError);
      },
      open,
      onOpenChange: setOpen,
    },
  };
};
