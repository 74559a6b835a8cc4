import { useRouter } from "next/navigation";
import { useDeferredValue, useState } from "react";
import { applyTheme, type Theme } from "@/client/theme";
import { useSignOut } from "@/client/use-account";
import { useChatList } from "@/client/use-chat-list";
import { useListActions } from "@/client/use-list-actions";
import { useReadMarks } from "@/client/use-read-marks";

type SidebarInput = { activeChatId: string | undefined; initialTheme: Theme };

/** Returns the state and actions of the sidebar. */
export const useSidebar = ({ activeChatId, initialTheme }: SidebarInput) => {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const [archived, setArchived] = useState(false);
  const [theme, setTheme] = useState(initialTheme);
  const { loadMore, retry, ...list } = useChatList({
    archived,
    q: useDeferredValue(search.trim()),
  });
  const { isUnread } = useReadMarks();
  const onSignOut = useSignOut();
  const listActions = useListActions((deletedId) => {
    if (deletedId === activeChatId) router.push("/");
  });
  return {
    errorMessage: listActions.errorMessage,
    dismissError: listActions.dismissError,
    props: {
      ...list,
      onLoadMore: loadMore,
      onRetry: retry,
      chats: list.chats.map((chat) => ({ ...chat, isUnread: isUnread(chat) })),
      activeChatId,
      actions: {
        onNavigate: (href: string): void => {
          setOpen(false);
          router.push(href);
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
      theme,
      onThemeChange: (next: Theme): void => {
        setTheme(next);
        applyTheme(next);
      },
      onSignOut,
      open,
      onOpenChange: setOpen,
    },
  };
};
