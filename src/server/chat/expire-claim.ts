import type { Database, Transaction } from "@/server/db/connection/database";
import {
  type ExpiredClaim,
  findOverdueClaim,
  offerCall,
} from "@/server/db/sql/machine/call-claims";
import { listWaitingCalls } from "@/server/db/sql/machine/expired-actions";
import { lockChat } from "@/server/db/sql/machine/row-locks";
import { applyTransition } from "@/server/machine/transition";

/**
 * Ends a claim whose lease has run out, unless its holder has renewed it. A call that may be run again is offered to other programs. Any
 * other is closed, as nobody knows whether it has taken effect.
 */
export const expireClaim = (
  db: Database,
  { chatId, toolCallId, token }: ExpiredClaim,
  newId: () => string,
): Promise<void> =>
  db.transaction(async (tx) => {
    const chat = await lockChat(tx, chatId);
    if (chat?.status !== "requires_action" || chat.archivedAt !== null) return;
    const overdue = await findOverdueClaim(tx, { chatId, toolCallId, token });
    if (!overdue) return;
    const { attempt, maxAttempts } = overdue;
    if (attempt < maxAttempts) {
      await offerCall(tx, {
        chatId,
        toolCallId,
        token,
        retryAfterSeconds: 0,
        attempt: attempt + 1,
      });
      return;
    }
    await applyTransition(tx, chat, {
      ...(await findEnding(tx, { chatId, toolCallId })),
      newId,
      by: "worker",
      closeReason: "program_lost",
    });
  });

/** Whether the chat goes on without the call. */
const findEnding = async (
  tx: Transaction,
  { chatId, toolCallId }: Pick<ExpiredClaim, "chatId" | "toolCallId">,
) => {
  const waiting = await listWaitingCalls(tx, chatId);
  return waiting.every((call) => call.toolCallId === toolCallId)
    ? ({ event: "expire_action" } as const)
    : ({ event: "expire_some", dueCalls: new Set([toolCallId]) } as const);
};
