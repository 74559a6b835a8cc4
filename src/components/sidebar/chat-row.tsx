"use client";
import { clsx } from "clsx";
import { Archive, ArchiveRestore, Ellipsis, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { Menu, type MenuItem } from "@/components/ui/menu";
import { NavLink } from "@/components/ui/nav-link";
import { RenameField } from "@/components/ui/rename-field";
import { useNow } from "@/components/ui/use-now";
import { MAX_TITLE_LENGTH } from "@/contract/limits";
import { formatRelativeTime } from "@/lib/format";
import type { SidebarChat } from "./chat-tree";
import { StatusIcon } from "./status-icon";

export type ChatRowActions = {
  onNavigate: (href: string) => void;
  onPin: (chatId: string, pinned: boolean) => void;
  onRename: (chatId: string, title: string) => void;
  onArchive: (chatId: string, archived: boolean) => void;
  /** Absent if chats cannot be deleted. */
  onDelete?: ((chatId: string) => void) | undefined;
};

type ChatRowProps = {
  chat: SidebarChat;
  actions: ChatRowActions;
  /** Whether it is the chat on the screen. */
  isCurrent: boolean;
  /** A fixed time in milliseconds, for stories. */
  now?: number | undefined;
};

const MINUTE_MS = 60_000;

export const ChatRow = ({ chat, actions, isCurrent, now }: ChatRowProps) => {
  const [mode, setMode] = useState<"idle" | "renaming" | "deleting">("idle");
  if (mode === "renaming") {
    return (
      <RenameField
        label="Chat title"
        value={chat.title}
        maxLength={MAX_TITLE_LENGTH}
        onSave={(title) => {
          setMode("idle");
          if (title !== chat.title) actions.onRename(chat.id, title);
        }}
        onCancel={() => setMode("idle")}
      />
    );
  }
  return (
    <>
      <RowContent
        chat={chat}
        isCurrent={isCurrent}
        now={now}
        onNavigate={actions.onNavigate}
        items={createMenuItems(chat, actions, setMode)}
      />
      <ConfirmDialog
        open={mode === "deleting"}
        onOpenChange={(open) => setMode(open ? "deleting" : "idle")}
        title={`Delete “${chat.title}”?`}
        message="The chat, its messages and its files are removed for good."
        confirmLabel="Delete chat"
        onConfirm={() => actions.onDelete?.(chat.id)}
      />
    </>
  );
};

type RowContentProps = Pick<ChatRowProps, "chat" | "isCurrent" | "now"> &
  Pick<ChatRowActions, "onNavigate"> & { items: MenuItem[] };

/** The link and, while the row is hovered or focused, the menu button in place of the time. */
const RowContent = ({ chat, isCurrent, now, onNavigate, items }: RowContentProps) => {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const currentTime = useNow(MINUTE_MS, now);
  const isUnread = chat.isUnread && !isCurrent;
  return (
    <div
      data-menu-open={isMenuOpen || undefined}
      className={clsx(
        "group relative flex items-center rounded-md transition-colors hover:bg-hover",
        (isCurrent || isMenuOpen) && "bg-hover",
      )}
    >
      <NavLink
        href={`/chats/${chat.id}`}
        onNavigate={onNavigate}
        isCurrent={isCurrent}
        className="flex h-9 min-w-0 flex-1 items-center gap-2 rounded-md px-2 -outline-offset-2 pointer-coarse:h-11"
      >
        <StatusIcon status={chat.status} isUnread={isUnread} />
        <span className={clsx("min-w-0 flex-1 truncate", isUnread && "font-semibold")}>
          {chat.title}
        </span>
        <time
          dateTime={chat.updated_at}
          className="shrink-0 text-xs text-muted tabular-nums pointer-coarse:mr-9 pointer-fine:group-focus-within:invisible pointer-fine:group-hover:invisible pointer-fine:group-data-menu-open:invisible"
        >
          {currentTime === undefined ? "" : formatRelativeTime(chat.updated_at, currentTime)}
        </time>
      </NavLink>
      <div className="absolute right-1 pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100 pointer-fine:group-data-menu-open:opacity-100">
        <Menu
          onOpenChange={setIsMenuOpen}
          trigger={
            <IconButton
              size="sm"
              label={`Actions for ${chat.title}`}
              icon={<Ellipsis aria-hidden size={16} />}
            />
          }
          items={items}
        />
      </div>
    </div>
  );
};

const createMenuItems = (
  { id, pinned, archived, parent_chat_id: parent }: SidebarChat,
  actions: ChatRowActions,
  setMode: (mode: "renaming" | "deleting") => void,
): MenuItem[] => [
  ...(archived || parent !== null ? [] : [createPinItem(id, pinned, actions)]),
  {
    kind: "item",
    label: "Rename",
    icon: <Pencil aria-hidden size={15} />,
    onSelect: () => setMode("renaming"),
  },
  {
    kind: "item",
    label: archived ? "Restore" : "Archive",
    icon: archived ? <ArchiveRestore aria-hidden size={15} /> : <Archive aria-hidden size={15} />,
    onSelect: () => actions.onArchive(id, !archived),
  },
  ...(actions.onDelete === undefined ? [] : createDeleteItems(setMode)),
];

const createPinItem = (id: string, pinned: boolean, actions: ChatRowActions): MenuItem => ({
  kind: "item",
  label: pinned ? "Unpin" : "Pin",
  icon: pinned ? <PinOff aria-hidden size={15} /> : <Pin aria-hidden size={15} />,
  onSelect: () => actions.onPin(id, !pinned),
});

const createDeleteItems = (setMode: (mode: "deleting") => void): MenuItem[] => [
  { kind: "separator" },
  {
    kind: "item",
    label: "Delete…",
    icon: <Trash2 aria-hidden size={15} />,
    isDestructive: true,
    onSelect: () => setMode("deleting"),
  },
];
