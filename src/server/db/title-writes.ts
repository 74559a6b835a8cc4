import type { MessageUsage, UsageKind } from "@/contract/usage";
import { NOTIFY_CHAT } from "./chat-writes";
import type { Queryable, Statement } from "./database";
import { CHAT_AS_JSON, type ChatAnswer, toChatRow } from "./row-mapping";
import type { ChatRow } from "./rows";

const TITLE: Statement = {
  name: "set-generated-title",
  text: `WITH c AS (
      UPDATE chat SET version = version + 1, title = $2, titled = true, usage = add_usage(usage, $4, $6, $7, $8)
      WHERE id = $1::uuid AND NOT titled RETURNING *
    ), u AS (
      INSERT INTO usage_record (id, chat_id, turn_id, kind, model, input_tokens, output_tokens, cost_micros)
      SELECT $3::uuid, c.id, c.turn_id, $4::usage_kind, $5, $6, $7, $8 FROM c
    )
  SELECT ${CHAT_AS_JSON}, ${NOTIFY_CHAT} FROM c`,
};

export type GeneratedTitle = {
  chatId: string;
  title: string;
  usageId: string;
  model: string;
  usage: MessageUsage;
  costMicros: number;
};

/** Names a chat that nobody has named yet. @returns the chat, or undefined when somebody has. */
export const setGeneratedTitle = async (
  db: Queryable,
  made: GeneratedTitle,
): Promise<ChatRow | undefined> => {
  const kind: UsageKind = "title";
  const [record] = await db.query<ChatAnswer>(TITLE, [
    made.chatId,
    made.title,
    made.usageId,
    kind,
    made.model,
    made.usage.input_tokens,
    made.usage.output_tokens,
    made.costMicros,
  ]);
  return record && toChatRow(record.chat);
};
