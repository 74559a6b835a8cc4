import type { ChatError } from "@/contract/chat-error";
import type { Database } from "@/server/db/database";
import type { ChatRow } from "@/server/db/rows";
import { lockLeasedChat } from "./lock-chat";
import { applyTransition } from "./transition";

/** Ends the turn of a held chat; the queue's head, if there is one, starts the next turn. */
export const finishTurn = (db: Database, held: ChatRow, newId: () => string): Promise<void> =>
  db.transaction(async (tx) => {
    const chat = await lockLeasedChat(tx, held);
    if (!chat) return;
    await applyTransition(tx, chat, {
      event: chat.status === "interrupting" ? "finish_interruption" : "finish_turn",
      newId,
      by: "worker",
      closeReason: "superseded",
    });
  });

/** Ends the turn of a held chat with an error that retrying cannot cure. */
export const failTurn = (
  db: Database,
  held: ChatRow,
  { error, newId }: { error: ChatError; newId: () => string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const chat = await lockLeasedChat(tx, held);
    if (!chat) return;
    await applyTransition(tx, chat, {
      event: chat.status === "interrupting" ? "finish_interruption" : "fail_turn",
      newId,
      by: "worker",
      closeReason: "interrupted",
      lastError: error,
    });
  });
