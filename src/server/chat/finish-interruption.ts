import type { Database } from "@/server/db/database";
import { settleEndedCalls } from "@/server/db/call-writes";
import { insertPartialMessage } from "@/server/db/message-writes";
import type { ChatRow } from "@/server/db/rows";
import { lockLeasedChat } from "./lock-chat";
import { applyTransition } from "./transition";
import type { PartialTurn } from "./turn-deps";

/**
 * Commits what an interrupted turn has made and closes its open calls. Then the chat rests, or the
 * queue's head starts the next turn. A turn that has made nothing leaves no message.
 */
export const finishInterruption = (
  db: Database,
  held: ChatRow,
  { partial: made, newId }: { partial: PartialTurn; newId: () => string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const chat = await lockLeasedChat(tx, held);
    if (chat?.status !== "interrupting") return;
    const { partial, settled } = made;
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
