import { Archive, ArchiveRestore, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
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
    icon: <Pencil aria-hidden size={15} />,
    onSelect: startRenaming,
  },
  // Child chats follow their root chat.
  ...(parent === null ? createRootItems({ id, title, archived }, actions) : []),
];

const createPinItem = (id: string, pinned: boolean, actions: ChatRowActions): MenuItem => ({
  kind: "item",
  label: pinned ? "Unpin" : "Pin",
  icon: pinned ? <PinOff aria-hidden size={15} /> : <Pin aria-hidden size={15} />,
  onSelect: () => actions.onPin(id, !pinned),
});

const createRootItems = (
  { id, title, archived }: Pick<ChatSummary, "id" | "title" | "archived">,
  actions: ChatRowActions,
): MenuItem[] => [
  {
    kind: "item",
    label: archived ? "Restore" : "Archive",
    icon: archived ? <ArchiveRestore aria-hidden size={15} /> : <Archive aria-hidden size={15} />,
    onSelect: () => actions.onArchive(id, !archived, title),
  },
  { kind: "separator" },
  {
    kind: "item",
    label: "Delete",
    icon: <Trash2 aria-hidden size={15} />,
    isDestructive: true,
    onSelect: () => actions.onDelete(id, title),
  },
];
