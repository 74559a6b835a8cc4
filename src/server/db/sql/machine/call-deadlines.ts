import type { Transaction } from "@/server/db/connection/database";
import { changeChat, metadataStatement } from "@/server/db/sql/rows/chat-row";
import { earliestDeadline } from "@/server/db/sql/rows/earliest-deadline";
import { lastAssistant } from "@/server/db/sql/rows/message-columns";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";

type Extension = { chatId: string; toolCallId: string; deadlineAt: Date };

const EXTEND = nameValues<Extension>({
  name: "extend-call",
  text: `UPDATE part SET deadline_at = $deadlineAt::timestamptz
    WHERE message_id = ${lastAssistant("$chatId")} AND tool_call_id = $toolCallId AND state = 'awaiting_result'
    RETURNING index`,
});

const TAKE_EARLIEST = metadataStatement<{ chatId: string }>({
  name: "take-earliest-deadline",
  assign: { action_deadline_at: earliestDeadline("chat.id") },
  where: "id = $chatId::uuid AND status = 'requires_action'",
});

/**
 * Changes the deadline of an open call of a locked chat that is parked, and that of the chat with it. The machine's state stays.
 *
 * @returns false, and writes nothing, for a call that waits for no result.
 */
export const saveDeadline = async (tx: Transaction, extension: Extension): Promise<boolean> => {
  const extended = await runNamed(tx, EXTEND, extension);
  if (extended.length === 0) return false;
  await changeChat(tx, TAKE_EARLIEST, { chatId: extension.chatId });
  return true;
};
