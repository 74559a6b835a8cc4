"use client";
import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { Countdown } from "@/components/ui/countdown";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import type { MenuItem } from "@/components/ui/open-menu";
import { NavLink } from "@/components/ui/nav-link";
import { RenameField } from "@/components/ui/rename-field";
import { useNow } from "@/components/ui/use-now";
import { VisuallyHidden } from "@/components/ui/visually-hidden";
import type { ChatSummary } from "@/contract/chat";
import { MAX_TITLE_LENGTH } from "@/contract/limits";
import { formatRelativeTime } from "@/lib/format";
import { type ChatRowActions, createChatMenuItems } from "./chat-menu-items";
import { handleRowKey } from "./handle-row-key";
import { StatusIcon } from "./status-icon";

type ChatRowProps = {
  chat: ChatSummary;
  /** Shown with a child chat that is listed apart from its parent. */
  parentTitle?: string | undefined;
  actions: ChatRowActions;
  /** Whether it is the chat on the screen. */
  isCurrent: boolean;
  /** The text that was searched for; "" without a search. */
  search: string;
  /** A fixed time in milliseconds, for stories. */
  now?: number | undefined;
};

const MINUTE_MS = 60_000;

export const ChatRow = ({ chat, actions, ...rowProps }: ChatRowProps) => {
  const [isRenaming, setIsRenaming] = useState(false);
  if (isRenaming) {
    return (
      <RenameField
        label="Chat title"
        value={chat.title}
        maxLength={MAX_TITLE_LENGTH}
        onSave={(title) => {
          setIsRenaming(false);
          if (title !== chat.title) actions.onRename(chat.id, title);
        }}
        onCancel={() => setIsRenaming(false)}
      />
    );
  }
  return (
    <RowContent
      chat={chat}
      {...rowProps}
      onNavigate={actions.onNavigate}
      items={createChatMenuItems(chat, actions, () => setIsRenaming(true))}
    />
  );
};

type RowContentProps = Omit<ChatRowProps, "actions"> &
  Pick<ChatRowActions, "onNavigate"> & { items: MenuItem[] };

/** The link and, while the row is hovered or focused, the menu button in place of the time. */
const RowContent = (props: RowContentProps) => {
  const { chat, parentTitle, isCurrent, search, now, onNavigate, items } = props;
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const isUnread = chat.unread && !isCurrent;
  return (
    <div
      data-chat-row
      data-menu-open={isMenuOpen || undefined}
      onKeyDown={handleRowKey}
      className={clsx(
        "group relative flex items-center rounded-md transition-colors hover:bg-hover",
        (isCurrent || isMenuOpen) && "bg-hover",
      )}
    >
      <NavLink
        href={`/chats/${chat.id}${chat.match ? `?message=${chat.match.seq}` : ""}`}
        onNavigate={onNavigate}
        isCurrent={isCurrent}
        keyShortcuts="Shift+F10"
        className="flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-md px-2 -outline-offset-2 pointer-coarse:min-h-11"
      >
        <StatusIcon status={chat.status} needsYou={chat.needs_you} isUnread={isUnread} />
        <span className="min-w-0 flex-1 py-1">
          <span className={clsx("block truncate", isUnread && "font-semibold")}>{chat.title}</span>
          {parentTitle !== undefined && (
            <span className="block truncate text-xs text-muted">
              <VisuallyHidden>, agent of </VisuallyHidden>
              {parentTitle}
            </span>
          )}
          {chat.match && <Snippet text={chat.match.snippet} search={search} />}
        </span>
        <span className="shrink-0 text-xs text-muted tabular-nums pointer-coarse:mr-9 pointer-fine:group-focus-within:invisible pointer-fine:group-hover:invisible pointer-fine:group-data-menu-open:invisible">
          {search !== "" && chat.archived ? "Archived" : <RowTime chat={chat} now={now} />}
        </span>
      </NavLink>
      <div className="absolute right-1 pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100 pointer-fine:group-data-menu-open:opacity-100">
        <Menu
          onOpenChange={setIsMenuOpen}
          trigger={
            <IconButton
              size="sm"
              tabIndex={-1}
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

/** The text around what was found, which is marked. */
const Snippet = ({ text, search }: { text: string; search: string }) => {
  const words = search.replaceAll(/\s+/g, " ").trim();
  const start = text.toLowerCase().indexOf(words.toLowerCase());
  return (
    <span className="line-clamp-3 text-note break-words text-muted">
      {start < 0 ? (
        text
      ) : (
        <>
          {text.slice(0, start)}
          <mark className="rounded-xs bg-accent-soft text-text">
            {text.slice(start, start + words.length)}
          </mark>
          {text.slice(start + words.length)}
        </>
      )}
    </span>
  );
};

/** The time left to answer a chat that waits for the person, and else how long ago a chat has changed. */
const RowTime = ({ chat, now }: Pick<ChatRowProps, "chat" | "now">) => {
  const currentTime = useNow(MINUTE_MS, now);
  if (chat.needs_you && chat.action_deadline_at !== null) {
    return (
      <>
        <Countdown until={chat.action_deadline_at} {...(now !== undefined && { now })} /> left
      </>
    );
  }
  return (
    <time dateTime={chat.updated_at}>
      {currentTime === undefined ? "" : formatRelativeTime(chat.updated_at, currentTime)}
    </time>
  );
};
