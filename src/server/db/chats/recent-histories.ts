import { perDatabase } from "@/server/db/connection/per-database";
import type { HistoryMessage } from "./rows";
import { SHORT_HISTORY } from "@/server/db/sql/machine/claim";

/** A chat's history as it was at a version of the chat. */
export type KnownHistory = { version: number; history: readonly HistoryMessage[] };

/** Maximum number of cached chats: enough for the chats in use. */
const MAX_CHATS = 16;
/** Longest prompt whose history is cached, in bytes; a longer one costs more memory than reading it again. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Caches the long histories that this process used last, so that the next turn reads only what has changed
 * since. A short history comes with the claim. A cached one is never assumed to be current: each turn reads what has
 * a higher revision, deleted messages too.
 */
export const createRecentHistories = () => {
  const cache = new Map<string, KnownHistory>();
  return {
    get: (chatId: string): KnownHistory | undefined => cache.get(chatId),
    /** @param bytes size of the prompt that was built from it. */
    set: (chatId: string, known: KnownHistory, bytes: number): void => {
      cache.delete(chatId);
      if (known.history.length < SHORT_HISTORY || bytes > MAX_BYTES) return;
      cache.set(chatId, known);
      const oldest = cache.keys().next();
      if (cache.size > MAX_CHATS && !oldest.done) cache.delete(oldest.value);
    },
    delete: (chatId: string): void => void cache.delete(chatId),
  };
};

export const recentHistories = perDatabase(createRecentHistories);
