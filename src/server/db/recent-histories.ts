import { perDatabase } from "./per-database";
import type { HistoryMessage } from "./rows";
import { SHORT_HISTORY } from "./sql/claim";

/** A chat's history as it was at a version of the chat. */
export type KnownHistory = { version: number; history: readonly HistoryMessage[] };

/** Chats that are kept: those in use, rather than all that were. */
const MOST_KEPT = 16;
/** Of one chat's prompt; one that is longer takes more memory than its reading is worth. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * The long histories that this process has worked with last, so that the next turn reads only what
 * has changed since. A short one comes with the claim.
 */
export const createRecentHistories = () => {
  const kept = new Map<string, KnownHistory>();
  return {
    get: (chatId: string): KnownHistory | undefined => kept.get(chatId),
    /** @param bytes of the prompt that was made of it. */
    keep: (chatId: string, known: KnownHistory, bytes: number): void => {
      kept.delete(chatId);
      if (known.history.length < SHORT_HISTORY || bytes > MOST_BYTES) return;
      kept.set(chatId, known);
      const oldest = kept.keys().next();
      if (kept.size > MOST_KEPT && !oldest.done) kept.delete(oldest.value);
    },
  };
};

export const recentHistories = perDatabase("recent-histories", createRecentHistories);
