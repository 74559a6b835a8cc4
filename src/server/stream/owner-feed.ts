import { readChatWithCalls } from "@/server/db/sql/chat-reads";
import type { Database } from "@/server/db/database";
import type { ToolCallPartRow } from "@/server/db/rows";
import { listChatVersions } from "@/server/db/sql/version-reads";
import type { Viewer } from "@/server/db/viewer";
import type { ChatNotice } from "./notifications";
import type { WatchStreamEvent } from "./stream-event";

type KnownChat = {
  version: number;
  /** The open calls of the last `chat.action_required`; "" when the chat is not parked. */
  action: string;
};

/** Tracks what one client knows of its viewer's chats, and computes the events that it is missing. */
export const createOwnerFeed = ({ db, viewer }: { db: Database; viewer: Viewer }) => {
  const known = new Map<string, KnownChat>();
  let changed = new Set<string>();
  let isCheckDue = true;
  let isFirst = true;

  /** Compares the versions of all chats with the known ones. */
  const findChanged = async (): Promise<void> => {
    isCheckDue = false;
    const gone = new Set(known.keys());
    for (const { chatId, version, status } of await listChatVersions(db, viewer)) {
      gone.delete(chatId);
      // The client lists the chats itself when it connects; only required actions are sent again.
      if (isFirst) known.set(chatId, { version, action: "" });
      if (isFirst ? status === "requires_action" : (known.get(chatId)?.version ?? 0) < version) {
        changed.add(chatId);
      }
    }
    gone.forEach((chatId) => changed.add(chatId));
    isFirst = false;
  };

  const readEvents = async (chatId: string): Promise<WatchStreamEvent[]> => {
    const changes = await readChatWithCalls(db, { chatId, viewer });
    const before = known.get(chatId);
    if (!changes) return known.delete(chatId) ? [{ type: "chat.deleted", id: chatId }] : [];
    const { chat, openCalls } = changes;
    const action = chat.status === "requires_action" ? toActionKey(openCalls) : "";
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
    /** @returns whether the notice makes a read necessary. */
    handleNotice: (notice: ChatNotice | undefined): boolean => {
      if (!notice) isCheckDue = true;
      else if (notice.status !== "deleted" && isKnown(known.get(notice.chatId), notice))
        return false;
      else changed.add(notice.chatId);
      return true;
    },
    /** Reads the chats that have changed since the last call, each once. */
    read: async (): Promise<WatchStreamEvent[]> => {
      if (isCheckDue) await findChanged();
      const chatIds = changed;
      changed = new Set();
      const events: WatchStreamEvent[] = [];
      for (const chatId of chatIds) events.push(...(await readEvents(chatId)));
      return events;
    },
  };
};

const isKnown = (known: KnownChat | undefined, { version }: ChatNotice): boolean =>
  known !== undefined && known.version >= version;

const toActionKey = (openCalls: ToolCallPartRow[]): string =>
  openCalls.map(({ toolCallId, state }) => `${state} ${toolCallId}`).join("\n");
