import type { Queryable } from "@/server/db/connection/database";
import { type ClaimedChat, SHORT_HISTORY } from "@/server/db/sql/machine/claim";
import {
  type KnownHistory,
  readChangedHistory,
  readHistory,
} from "@/server/db/sql/reads/message-reads";
import type { ChatRow, HistoryMessage } from "./rows";

/** Maximum number of cached chats: enough for the chats in use. */
const MAX_CHATS = 16;
/** Longest prompt whose history is cached, in bytes; a longer one costs more memory than reading it again. */
const MAX_BYTES = 4 * 1024 * 1024;

export type RecentHistories = ReturnType<typeof createRecentHistories>;

/**
 * Caches the long histories that this process used last, so that the next turn reads only what has changed
 * since. A short history comes with the claim. A cached one is never assumed to be current: each turn reads what has
 * a higher revision, deleted messages too.
 */
export const createRecentHistories = (db: Queryable) => {
  const cache = new Map<string, KnownHistory>();
  return {
    /** Returns the history of a chat that was claimed just now. */
    read: async ({
      id,
      history,
    }: Pick<ClaimedChat, "id" | "history">): Promise<HistoryMessage[]> => {
      if (history) return history;
      const known = cache.get(id);
      return known ? readChangedHistory(db, id, known) : readHistory(db, id);
    },
    get: (chatId: string): KnownHistory | undefined => cache.get(chatId),
    /**
     * Caches a committed history for the chat's next turn.
     *
     * @param bytes about its size, as that of the prompt that was built from it.
     */
    add: (
      { id, version }: Pick<ChatRow, "id" | "version">,
      history: readonly HistoryMessage[],
      bytes: number,
    ): void => {
      cache.delete(id);
      if (history.length < SHORT_HISTORY || bytes > MAX_BYTES) return;
      cache.set(id, { version, history });
      const oldest = cache.keys().next();
      if (cache.size > MAX_CHATS && !oldest.done) cache.delete(oldest.value);
    },
    delete: (chatId: string): void => void cache.delete(chatId),
  };
};
