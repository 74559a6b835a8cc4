import { useRouter } from "next/navigation";
import { useDeferredValue, useState } from "react";
import { applyTheme, type Theme } from "@/client/theme";
import { useSignOut } from "@/client/use-account";
import { useChatList } from "@/client/use-chat-list";
import { useListActions } from "@/client/use-list-actions";
import { useSeen } from "@/client/use-seen";

type SidebarInput = { activeChatId: string | undefined; initialTheme: Theme };

/** All that the list of chats shows and does. */
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
  const { isUnread } = useSeen();
  const onSignOut = useSignOut();
  const act = useListActions((deleted) => {
    if (deleted === activeChatId) router.push("/");
  });
  return {
    failure: act.failure,
    dismissFailure: act.dismiss,
    props: {
      ...list,
      onLoadMore: loadMore,
      onRetry: retry,
      chats: list.chats.map((chat) => ({ ...chat, unread: isUnread(chat) })),
      activeChatId,
      actions: {
        onNavigate: (href: string): void => {
          setOpen(false);
          router.push(href);
        },
        onPin: act.pin,
        onRename: act.rename,
        onArchive: act.archive,
        onDelete: act.remove,
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
