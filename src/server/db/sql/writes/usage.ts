import type { UsageKind } from "@/contract/usage";
import type { Queryable } from "@/server/db/connection/database";
import type { ChatRow, ModelUse } from "@/server/db/chats/rows";
import { changeChat, metadataStatement } from "@/server/db/sql/rows/chat-row";

/** The values of a statement that has the expressions of `addUses`. */
export type UseValues = {
  uses: string;
  usedInputTokens: number;
  usedOutputTokens: number;
  usedCostMicros: number;
};

const ADVISOR: UsageKind = "advisor";

/**
 * SQL that adds uses to the totals of the chat of a statement and writes a record of each. The table
 * expression `c` is the changed chat.
 *
 * @param messageId SQL of the message that the uses are for.
 * @param kind SQL of their kind.
 * @param turnId SQL of the turn that made them.
 */
export const addUses = (messageId: string, kind = `'${ADVISOR}'`, turnId = "c.turn_id") => ({
  totals: `CASE WHEN jsonb_array_length($uses::jsonb) = 0 THEN usage
    ELSE add_usage(usage, ${kind}, $usedInputTokens, $usedOutputTokens, $usedCostMicros) END`,
  /** The tokens of the context after them; only an answer of the agent enters the context. */
  context: `CASE WHEN jsonb_array_length($uses::jsonb) > 0 AND ${kind} = 'turn'
    THEN $usedInputTokens + $usedOutputTokens ELSE context_tokens END`,
  records: `INSERT INTO usage_record
      (id, chat_id, message_id, turn_id, kind, model, input_tokens, output_tokens, cost_micros)
    SELECT x.id, c.id, ${messageId}, ${turnId}, ${kind}::usage_kind, x.model, x.input_tokens, x.output_tokens,
      x.cost_micros
    FROM c, jsonb_to_recordset($uses::jsonb)
      AS x(id uuid, model text, input_tokens int, output_tokens int, cost_micros int)`,
});

export const useValues = (uses: readonly ModelUse[]): UseValues => ({
  uses: JSON.stringify(
    uses.map(({ id, model, usage, costMicros }) => ({
      id,
      model,
      input_tokens: usage.input_tokens,
      output_tokens: usage.output_tokens,
      cost_micros: costMicros,
    })),
  ),
  usedInputTokens: uses.reduce((sum, { usage }) => sum + usage.input_tokens, 0),
  usedOutputTokens: uses.reduce((sum, { usage }) => sum + usage.output_tokens, 0),
  usedCostMicros: uses.reduce((sum, { costMicros }) => sum + costMicros, 0),
});

/** Model calls of a turn that have left no message. */
export type LostUses = { kind: UsageKind; uses: readonly ModelUse[] };

const LOST = addUses("NULL::uuid", "$kind::text", "$turnId::uuid");

const RECORD_LOST = metadataStatement<
  UseValues & { chatId: string; turnId: string; kind: UsageKind }
>({
  name: "record-lost-uses",
  assign: { usage: LOST.totals },
  // The worker does not know of a commit whose answer was lost.
  where: `id = $chatId::uuid AND NOT EXISTS (SELECT FROM usage_record used
    JOIN jsonb_to_recordset($uses::jsonb) AS lost(id uuid) ON used.id = lost.id)`,
  with: { u: LOST.records },
});

/** Counts what a turn has paid for without a commit. @returns undefined when it is counted or the chat deleted. */
export const recordLostUses = (
  db: Queryable,
  { id, turnId }: Pick<ChatRow, "id" | "turnId">,
  { kind, uses }: LostUses,
): Promise<ChatRow | undefined> =>
  changeChat(db, RECORD_LOST, { chatId: id, turnId, kind, ...useValues(uses) });
