import type { Database, Transaction } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { listWaitingCalls, lockExpiredChat } from "@/server/db/sql/machine/expired-actions";
import { applyTransition } from "@/server/machine/transition";

/**
 * Closes the calls of a parked chat whose deadlines have passed; the model reads that they timed out. The turn goes on when
 * no other call is open. A chat that waits for agents becomes `pending`, and its worker ends the wait.
 */
export const expireAction = (db: Database, chatId: string, newId: () => string): Promise<void> =>
  db.transaction(async (tx) => {
    const chat = await lockExpiredChat(tx, chatId);
    const ending = chat && (await findEnding(tx, chat));
    if (!ending) return;
    await applyTransition(tx, chat, { ...ending, newId, by: "worker", closeReason: "timed_out" });
  });

const findEnding = async (tx: Transaction, chat: ChatRow) => {
  if (chat.status === "awaiting_agents") return { event: "end_wait" } as const;
  if (chat.status !== "requires_action") return undefined;
  const calls = await listWaitingCalls(tx, chat.id);
  const due = calls.filter(({ isDue }) => isDue);
  if (due.length === calls.length) return { event: "expire_action" } as const;
  return {
    event: "expire_some",
    dueCalls: new Set(due.map(({ toolCallId }) => toolCallId)),
  } as const;
};
