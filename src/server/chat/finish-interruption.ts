import type { Database } from "@/server/db/database";
import { insertPartialMessage, settleEndedCalls } from "@/server/db/message-writes";
import type { ChatRow } from "@/server/db/rows";
import { lockLeasedChat } from "./lock-leased-chat";
import { applyTransition } from "./transition";
import type { Kept } from "./turn-ports";

/**
 * Commits what an interrupted turn had made, closes its open calls, and lets the chat rest or
 * the queue's head start the next turn. Nothing made, nothing committed.
 */
export const finishInterruption = (
  db: Database,
  held: ChatRow,
  { kept, newId }: { kept: Kept; newId: () => string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const chat = await lockLeasedChat(tx, held);
    if (chat?.status !== "interrupting") return;
    const { partial, settled } = kept;
    const revision = chat.version + 1;
    const hasPartial = partial !== undefined && partial.parts.length > 0;
    if (settled) await settleEndedCalls(tx, { ...settled, revision });
    if (hasPartial) {
      await insertPartialMessage(tx, {
        id: newId(),
        chatId: chat.id,
        seq: chat.lastSeq + 1,
        turnId: chat.turnId,
        revision,
        ...partial,
      });
    }
    await applyTransition(tx, chat, {
      event: "finish_interruption",
      newId,
      by: "worker",
      closeReason: "interrupted",
      written: {
        historyChanged: hasPartial || settled !== undefined,
        newMessages: hasPartial ? 1 : 0,
        ...(settled && { uses: settled }),
      },
    });
  });
