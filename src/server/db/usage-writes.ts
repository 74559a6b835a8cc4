import type { MessageUsage, UsageKind } from "@/contract/usage";
import type { Queryable, Statement } from "./database";

/** A model call that was made for a tool call of a message. */
export type NewAdvisorUse = {
  id: string;
  /** "provider/model". */
  model: string;
  usage: MessageUsage;
  costMicros: number;
};

const KIND: UsageKind = "advisor";

/** Uses as `jsonb_to_recordset` reads them from `useValues`. */
const USE_RECORD = `(id uuid, model text, input_tokens int, output_tokens int, cost_micros int)`;

/**
 * The parts of a statement that add uses to a chat's totals and keep a row of each.
 *
 * @param first the number of the first of the four values of `useValues`.
 * @param chat a common table expression with the chat's id and turn, empty when nothing is to be written.
 * @param message the message's id, as SQL.
 */
export const addUses = (first: number, chat: string, message: string) => ({
  totals: `usage = CASE WHEN jsonb_array_length($${first}::jsonb) = 0 THEN usage
    ELSE add_usage(usage, '${KIND}', $${first + 1}, $${first + 2}, $${first + 3}) END`,
  rows: `INSERT INTO usage_record (id, chat_id, message_id, turn_id, kind, model, input_tokens, output_tokens, cost_micros)
    SELECT x.id, ${chat}.id, ${message}, ${chat}.turn_id, '${KIND}'::usage_kind, x.model, x.input_tokens, x.output_tokens, x.cost_micros
    FROM ${chat}, jsonb_to_recordset($${first}::jsonb) AS x${USE_RECORD}`,
});

export const useValues = (uses: readonly NewAdvisorUse[]): unknown[] => [
  JSON.stringify(
    uses.map(({ id, model, usage, costMicros }) => ({
      id,
      model,
      input_tokens: usage.input_tokens,
      output_tokens: usage.output_tokens,
      cost_micros: costMicros,
    })),
  ),
  uses.reduce((sum, { usage }) => sum + usage.input_tokens, 0),
  uses.reduce((sum, { usage }) => sum + usage.output_tokens, 0),
  uses.reduce((sum, { costMicros }) => sum + costMicros, 0),
];

const RECORDED = addUses(3, "c", "$2::uuid");

const RECORD: Statement = {
  name: "record-advisor-uses",
  text: `WITH c AS (UPDATE chat SET ${RECORDED.totals} WHERE id = $1::uuid RETURNING id, turn_id) ${RECORDED.rows}`,
};

/** Accounts for uses whose calls are settled in the same transaction. */
export const recordAdvisorUses = async (
  tx: Queryable,
  made: { chatId: string; messageId: string; uses: readonly NewAdvisorUse[] },
): Promise<void> => {
  if (made.uses.length === 0) return;
  await tx.query(RECORD, [made.chatId, made.messageId, ...useValues(made.uses)]);
};
