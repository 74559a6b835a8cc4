import { download } from "@/client/download";
import { usePageItems, useShellActions } from "@/client/screens/shell/shell-context";
import { ChatMenu } from "@/components/chat/chat-menu";
import { createChatMenuItems } from "@/components/sidebar/chat-menu-items";
import type { MenuItem } from "@/components/ui/open-menu";
import type { AutoSubmit, ChatSnapshot } from "@/contract/chat";
import { isBusy } from "@/contract/chat-status";

type OpenChatMenuProps = {
  chat: ChatSnapshot;
  startRenaming: () => void;
  onFind: () => void;
  onShowFiles: () => void;
  onCompact: () => void;
  onClear: () => void;
  onUpdate: (change: { auto_submit: Partial<AutoSubmit> }) => void;
};

/** The menu of the chat on the screen, with the actions of the chat list. */
export const OpenChatMenu = ({
  chat,
  startRenaming,
  onFind,
  onShowFiles,
  onCompact,
  onClear,
  onUpdate,
}: OpenChatMenuProps) => {
  const actions = useShellActions();
  const disabled = isBusy(chat.status) || chat.archived;
  const items: MenuItem[] = [
    {
      kind: "item",
      label: "Find in chat",
      icon: "search",
      shortcut: "find-in-chat",
      onSelect: onFind,
    },
    {
      kind: "item",
      label: "Show files",
      icon: "files",
      onSelect: onShowFiles,
    },
    {
      kind: "item",
      label: "Sum up what came before",
      icon: "fold-vertical",
      onSelect: onCompact,
      disabled,
    },
    {
      kind: "item",
      label: "Clear the context",
      icon: "eraser",
      onSelect: onClear,
      disabled,
    },
    ...createExportItems(chat.id),
    ...createChatMenuItems(chat, actions, startRenaming),
  ];
  usePageItems(items);
  return (
    <ChatMenu
      items={items}
      usage={chat.usage}
      autoSubmit={chat.auto_submit}
      onAutoSubmitChange={(change) => onUpdate({ auto_submit: change })}
      isArchived={chat.archived}
    />
  );
};

const createExportItems = (chatId: string): MenuItem[] =>
  ["Markdown", "JSON", "ZIP"].map((name) => ({
    kind: "item",
    label: `Export as ${name}`,
    icon: "download",
    onSelect: () => download(`/api/v1/chats/${chatId}/export?format=${name.toLowerCase()}`),
  }));
