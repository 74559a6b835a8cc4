import type { Queryable, Statement } from "@/server/db/database";
import { toJsonText } from "@/server/db/nul";
import type { PartRow, ToolCallPartRow } from "@/server/db/rows";
import { insertParts, settleParts, toPartRecord } from "./part-columns";

// Raw, as these write parts in the form of the statements that commit a step.

const INSERT_PARTIAL: Statement = {
  name: "insert-partial-message",
  text: `WITH m AS (
      INSERT INTO message (id, chat_id, seq, role, revision, model, finish_reason, interrupted, turn_id)
      VALUES ($1::uuid, $2::uuid, $3, 'assistant', $4, $5, 'interrupted', true, $7::uuid) RETURNING id
    )
  ${insertParts("m", "$6")}`,
};

/** Stores the part of an answer that arrived before it was interrupted. */
export const insertPartialMessage = async (
  tx: Queryable,
  message: {
    id: string;
    chatId: string;
    seq: number;
    turnId: string;
    revision: number;
    model: string;
    parts: PartRow[];
  },
): Promise<void> => {
  await tx.query(INSERT_PARTIAL, [
    message.id,
    message.chatId,
    message.seq,
    message.revision,
    message.model,
    toJsonText(message.parts.map(toPartRecord)),
    message.turnId,
  ]);
};

const SETTLE_PARTS: Statement = {
  name: "settle-parts",
  text: `WITH p AS (${settleParts("$1::uuid", "$2")})
  UPDATE message SET revision = $3 WHERE id = $1::uuid`,
};

/** Stores the outcomes of calls that had ended when their turn was interrupted. */
export const settleEndedCalls = async (
  tx: Queryable,
  settled: { messageId: string; calls: ToolCallPartRow[]; revision: number },
): Promise<void> => {
  await tx.query(SETTLE_PARTS, [
    settled.messageId,
    toJsonText(settled.calls.map(toPartRecord)),
    settled.revision,
  ]);
};
