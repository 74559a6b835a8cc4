import type { MenuItem } from "@/components/ui/open-menu";
import type { ChatSummary } from "@/contract/chat";

export type ChatRowActions = {
  onNavigate: (href: string) => void;
  onPin: (chatId: string, pinned: boolean) => void;
  onRename: (chatId: string, title: string) => void;
  /** Can be undone for a while. */
  onArchive: (chatId: string, archived: boolean, title: string) => void;
  /** Can be undone for a while. */
  onDelete: (chatId: string, title: string) => void;
};

/** What a person may do with a chat, wherever it is shown. */
export const createChatMenuItems = (
  {
    id,
    title,
    pinned,
    archived,
    parent_chat_id: parent,
  }: Pick<ChatSummary, "id" | "title" | "pinned" | "archived" | "parent_chat_id">,
  actions: ChatRowActions,
  startRenaming: () => void,
): MenuItem[] => [
  ...(archived || parent !== null ? [] : [createPinItem(id, pinned, actions)]),
  {
    kind: "item",
    label: "Rename",
    icon: "pencil",
    onSelect: startRenaming,
  },
  // Child chats follow their root chat.
  ...(parent === null ? createRootItems({ id, title, archived }, actions) : []),
];

const createPinItem = (id: string, pinned: boolean, actions: ChatRowActions): MenuItem => ({
  kind: "item",
  label: pinned ? "Unpin" : "Pin",
  icon: pinned ? "pin-off" : "pin",
  onSelect: () => actions.onPin(id, !pinned),
});

const createRootItems = (
  { id, title, archived }: Pick<ChatSummary, "id" | "title" | "archived">,
  actions: ChatRowActions,
): MenuItem[] => [
  {
    kind: "item",
    label: archived ? "Restore" : "Archive",
    icon: archived ? "archive-restore" : "archive",
    onSelect: () => actions.onArchive(id, !archived, title),
  },
  { kind: "separator" },
  {
    kind: "item",
    label: "Delete",
    icon: "trash-2",
    isDestructive: true,
    onSelect: () => actions.onDelete(id, title),
  },
];
