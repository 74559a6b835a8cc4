import { readChatWithCalls } from "@/server/db/chat-reads";
import type { Database } from "@/server/db/database";
import type { ToolCallPartRow } from "@/server/db/rows";
import { listChatVersions } from "@/server/db/version-reads";
import type { Viewer } from "@/server/db/viewer";
import type { WatchStreamEvent } from "./stream-event";
import type { ChatNotice } from "./notifications";

type Known = {
  version: number;
  /** The open calls that were told of last; "" when the chat is not parked. */
  action: string;
};

/** Knows what one client has been told of its viewer's chats, and what to tell it next. */
export const createOwnerFeed = ({ db, viewer }: { db: Database; viewer: Viewer }) => {
  const known = new Map<string, Known>();
  let changed = new Set<string>();
  let isUnsure = true;
  let isFirst = true;

  /** Compares all chats with what is known, by their versions. */
  const findChanged = async (): Promise<void> => {
    isUnsure = false;
    const gone = new Set(known.keys());
    for (const { chatId, version, status } of await listChatVersions(db, viewer)) {
      gone.delete(chatId);
      // The client has its own list of the chats from before; only a required action is told anew.
      if (isFirst) known.set(chatId, { version, action: "" });
      if (isFirst ? status === "requires_action" : (known.get(chatId)?.version ?? 0) < version) {
        changed.add(chatId);
      }
    }
    gone.forEach((chatId) => changed.add(chatId));
    isFirst = false;
  };

  const tellOf = async (chatId: string): Promise<WatchStreamEvent[]> => {
    const changes = await readChatWithCalls(db, { chatId, viewer });
    const before = known.get(chatId);
    if (!changes) return known.delete(chatId) ? [{ type: "chat.deleted", id: chatId }] : [];
    const { chat, openCalls } = changes;
    const action = chat.status === "requires_action" ? actionOf(openCalls) : "";
    known.set(chatId, { version: chat.version, action });
    const events: WatchStreamEvent[] = [];
    if (!before) events.push({ type: "chat.created", chat });
    else if (chat.version > before.version) events.push({ type: "chat.updated", chat });
    if (action !== "" && action !== before?.action) {
      events.push({ type: "chat.action_required", chat, openCalls });
    }
    return events;
  };

  return {
    /** @returns false when the notice says nothing new. */
    hear: (notice: ChatNotice | undefined): boolean => {
      if (!notice) isUnsure = true;
      else if (notice.status !== "deleted" && isKnown(known.get(notice.chatId), notice))
        return false;
      else changed.add(notice.chatId);
      return true;
    },
    /** What has changed since the last call, each chat once. */
    read: async (): Promise<WatchStreamEvent[]> => {
      if (isUnsure) await findChanged();
      const chatIds = changed;
      changed = new Set();
      const events: WatchStreamEvent[] = [];
      for (const chatId of chatIds) events.push(...(await tellOf(chatId)));
      return events;
    },
  };
};

const isKnown = (known: Known | undefined, { version }: ChatNotice): boolean =>
  known !== undefined && known.version >= version;

const actionOf = (openCalls: ToolCallPartRow[]): string =>
  openCalls.map(({ toolCallId, state }) => `${state} ${toolCallId}`).join("\n");
