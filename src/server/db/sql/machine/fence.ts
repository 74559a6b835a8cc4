import type { ChatRow } from "@/server/db/chats/rows";

/** The fence of every write by a worker: its lease and the history version from which it started. */
export type Fence = { chatId: string; leaseToken: string; historyVersion: number };

export const FENCE = `id = $chatId::uuid AND lease_token = $leaseToken::uuid AND history_version = $historyVersion`;

/** @param guard the condition of the event, as in `transitionStatement`. */
export const fenced = (guard: string): string => `${FENCE} AND ${guard}`;

/** @throws {Error} for a chat without a lease. */
export const toFence = ({
  id,
  leaseToken,
  historyVersion,
}: Pick<ChatRow, "id" | "leaseToken" | "historyVersion">): Fence => {
  if (leaseToken === null) throw new Error(`chat ${id} is worked on without a lease`);
  return { chatId: id, leaseToken, historyVersion };
};
