import type { ChatStatus } from "@/contract/chat";
import type { Database } from "@/server/db/connection/database";
import { lockExpiredChat } from "@/server/db/sql/machine/expired-actions";
import type { LockedEvent } from "@/server/db/sql/machine/locked-transition";
import { applyTransition } from "@/server/machine/transition";

const EXPIRY: Partial<Record<ChatStatus, LockedEvent>> = {
  requires_action: "expire_action",
  awaiting_agents: "end_wait",
};

/**
 * Closes the open calls of a parked chat whose deadline has passed; the model reads that they timed out. A chat that
 * waits for agents becomes `pending`, and its worker ends the wait.
 */
export const expireAction = (db: Database, chatId: string, newId: () => string): Promise<void> =>
  db.transaction(async (tx) => {
    const chat = await lockExpiredChat(tx, chatId);
    const event = chat && EXPIRY[chat.status];
    if (!event) return;
    await applyTransition(tx, chat, {
      event,
      newId,
      by: "worker",
      closeReason: "timed_out",
    });
  });
