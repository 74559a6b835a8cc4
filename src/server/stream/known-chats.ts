import type { ListPosition } from "@/server/db/chats/list-cursor";
import { seesAll, type Viewer } from "@/server/db/chats/viewer";
import type { Attention } from "@/server/db/sql/reads/attention-reads";
import type { ChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import type { ListedVersion } from "@/server/db/sql/reads/version-reads";
import type { ChatNotice } from "./notifications";

/** A chat, and what of it the viewer should look at. */
export type WatchedChat = ChatWithCalls & { attention: Attention };

/** What has changed of a chat since the subscriber took its last change. */
export type ChatChange = {
  chatId: string;
  /** Undefined when the chat is deleted. */
  current: WatchedChat | undefined;
  isNew: boolean;
  /** Also when the viewer has read the chat. */
  hasNewVersion: boolean;
  /** The open calls of the parked chat have changed. */
  hasNewAction: boolean;
};

type KnownChat = {
  version: number;
  updatedAt: Date;
  /** The open calls of a parked chat; "" when it is not parked. */
  action: string;
  /** Undefined until the chat is read. */
  isUnread?: boolean;
};

/** What is known of a viewer's chats, and which of them have changed. */
export const createKnownChats = (viewer: Viewer) => {
  const known = new Map<string, KnownChat>();
  const deletedIds = new Set<string>();
  /** When the last change before the feed was made. */
  let startedAt = new Date(0);

  const learn = (chats: readonly ListedVersion[]): void => {
    for (const { id, version, updatedAt } of chats)
      if (!known.has(id)) known.set(id, { version, updatedAt, action: "" });
  };
  return {
    /** @param newest the newest chats as the feed begins. */
    start: (newest: readonly ListedVersion[]): void => {
      startedAt = newest[0]?.updatedAt ?? startedAt;
      learn(newest);
    },
    isCurrent: ({ chatId, version, status }: ChatNotice): boolean =>
      status !== "deleted" && status !== "read" && (known.get(chatId)?.version ?? 0) >= version,
    /** @returns the ids of chats that have changed, or are missing between two places of the list. */
    compare: (
      listed: readonly ListedVersion[],
      { after, last }: { after: ListPosition | undefined; last: ListPosition | undefined },
    ): string[] => {
      const ids = new Set(listed.map(({ id }) => id));
      const missing = [...known].flatMap(([id, { updatedAt }]) => {
        const chat = { id, updatedAt };
        const isBetween = (!after || isOlder(chat, after)) && (!last || isOlder(last, chat));
        return isBetween && !ids.has(id) ? [id] : [];
      });
      const isChanged = ({ id, version, updatedAt }: ListedVersion): boolean => {
        const before = known.get(id);
        return before ? before.version < version : updatedAt > startedAt;
      };
      const changed = listed.filter(isChanged);
      learn(listed.filter((chat) => !isChanged(chat)));
      return [...missing, ...changed.map(({ id }) => id)];
    },
    /** Takes what was read of a chat. @returns undefined when its deletion is known. */
    update: (chatId: string, current: WatchedChat | undefined): ChatChange | undefined => {
      const before = known.get(chatId);
      if (!current) {
        known.delete(chatId);
        // It may be a chat of the owner that the viewer could never read.
        if (!before && !seesAll(viewer)) return undefined;
        if (deletedIds.has(chatId)) return undefined;
        deletedIds.add(chatId);
        return { chatId, current, isNew: false, hasNewVersion: true, hasNewAction: false };
      }
      const { version, updatedAt, createdAt } = current.chat;
      const action = toActionKey(current);
      const { isUnread } = current.attention;
      known.set(chatId, { version, updatedAt, action, isUnread });
      return {
        chatId,
        current,
        isNew: !before && createdAt > startedAt,
        hasNewVersion: (before?.version ?? 0) < version || before?.isUnread !== isUnread,
        hasNewAction: action !== "" && action !== before?.action,
      };
    },
  };
};

/** Whether a chat comes after the other one in the list. */
const isOlder = (chat: ListPosition, other: ListPosition): boolean => {
  const difference = chat.updatedAt.getTime() - other.updatedAt.getTime();
  return difference === 0 ? chat.id < other.id : difference < 0;
};

const toActionKey = ({ chat, openCalls }: ChatWithCalls): string =>
  chat.status === "requires_action"
    ? openCalls
        .map(({ messageId, toolCallId, state }) => `${state} ${messageId} ${toolCallId}`)
        .join("\n")
    : "";
