import type { Queryable } from "@/server/db/connection/database";
import type { ChatRow, MessageRow } from "@/server/db/chats/rows";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import { type ChatAnswer, transitionStatement } from "@/server/db/sql/rows/chat-row";
import {
  lastAssistant,
  MESSAGE_COLUMNS,
  type MessageRecord,
  toMessageRow,
} from "@/server/db/sql/rows/message-columns";
import { runNamed } from "@/server/db/sql/rows/named-statement";
import { type CallOutcome, toOutcomesJson, writeOutcomes } from "@/server/db/sql/rows/part-columns";

type ActionEvent = "complete_action" | "decide_some";

type ActionValues = { chatId: string; version: number; outcomes: string };

/** The answered message. The snapshot of the statement lacks the changed parts, so they come from `p`. */
const ANSWERED = `(SELECT row_to_json(answered) FROM (
    SELECT ${MESSAGE_COLUMNS}, (SELECT json_agg(pieces ORDER BY index) FROM (
      SELECT * FROM p
      UNION ALL SELECT part.* FROM part WHERE part.message_id = m.id AND part.index NOT IN (SELECT index FROM p)
    ) AS pieces) AS parts FROM m
  ) AS answered)`;

const createStatement = (event: ActionEvent) =>
  transitionStatement<ActionValues>({
    name: `answer-and-${event}`,
    event,
    where: (guard) => `id = $chatId::uuid AND version = $version AND ${guard}`,
    change: { historyChanged: "true", outcomes: "$outcomes" },
    with: {
      p: `${writeOutcomes({ messageId: lastAssistant("$chatId"), json: "$outcomes", from: ["c"] })}
        RETURNING part.*`,
      m: `UPDATE message SET revision = c.version FROM c WHERE message.id IN (SELECT message_id FROM p)
        RETURNING message.*`,
    },
    select: `${ANSWERED} AS message`,
  });

const STATEMENTS: Record<ActionEvent, ReturnType<typeof createStatement>> = {
  complete_action: createStatement("complete_action"),
  decide_some: createStatement("decide_some"),
};

/**
 * Stores the outcomes of open calls and applies the event, if the chat has not changed since it was read.
 *
 * @returns the chat and the message as both would be read now, or undefined when the chat has changed
 *   and nothing was written.
 */
export const completeAction = async (
  db: Queryable,
  action: { chat: ChatRow; event: ActionEvent; outcomes: CallOutcome[] },
): Promise<{ chat: ChatRow; messages: MessageRow[] } | undefined> => {
  const { chat, event, outcomes } = action;
  const [row] = await runNamed<ChatAnswer & { message: MessageRecord }, ActionValues>(
    db,
    STATEMENTS[event],
    {
      chatId: chat.id,
      version: chat.version,
      outcomes: toOutcomesJson(outcomes),
    },
  );
  return row && { chat: toChatRow(row.chat), messages: [toMessageRow(row.message)] };
};
