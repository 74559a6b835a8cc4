import type { Queryable } from "@/server/db/connection/database";
import type { ChatRow, MessageRow, PartRow } from "@/server/db/chats/rows";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import {
  type ChatAnswer,
  recordCallsSql,
  transitionStatement,
} from "@/server/db/sql/rows/chat-row";
import {
  lastAssistant,
  MESSAGE_COLUMNS,
  type MessageRecord,
  toMessageRow,
} from "@/server/db/sql/rows/message-columns";
import { deleteClaims } from "@/server/db/sql/rows/claim-columns";
import { runNamed } from "@/server/db/sql/rows/named-statement";
import {
  type CallOutcome,
  type PartRecord,
  toOutcomesJson,
  toPartRow,
  writeOutcomes,
} from "@/server/db/sql/rows/part-columns";

type ActionEvent = "complete_action" | "decide_some";

type ActionValues = {
  chatId: string;
  version: number;
  outcomes: string;
  overridesClaims: boolean;
};

/** The answered message. The snapshot of the statement lacks the changed parts, so they come from `p`. */
const ANSWERED = `(SELECT row_to_json(answered) FROM (
    SELECT ${MESSAGE_COLUMNS}, (SELECT json_agg(pieces ORDER BY index) FROM (
      SELECT * FROM p
      UNION ALL SELECT part.* FROM part WHERE part.message_id = m.id AND part.index NOT IN (SELECT index FROM p)
    ) AS pieces) AS parts FROM m
  ) AS answered)`;

/** Whether each outcome is of whoever holds its call: the claims of the chat may not be known where its version is. */
const IS_OF_HOLDER = `($overridesClaims::boolean OR NOT EXISTS (
  SELECT FROM json_to_recordset($outcomes::json) AS x(tool_call_id text, resolved_claim uuid)
  LEFT JOIN call_claim AS claim
    ON claim.message_id = ${lastAssistant("$chatId")} AND claim.tool_call_id = x.tool_call_id
  WHERE claim.token IS DISTINCT FROM x.resolved_claim))`;

const createStatement = (event: ActionEvent) =>
  transitionStatement<ActionValues>({
    name: `answer-and-${event}`,
    event,
    where: (guard) => `id = $chatId::uuid AND version = $version AND ${guard} AND ${IS_OF_HOLDER}`,
    change: { historyChanged: "true", outcomes: "$outcomes" },
    with: {
      p: `${writeOutcomes({ messageId: lastAssistant("$chatId"), json: "$outcomes", from: ["c"] })}
        RETURNING part.*`,
      o: recordCallsSql("call.closed", { from: "c, p AS s" }),
      m: `UPDATE message SET revision = c.version FROM c WHERE message.id IN (SELECT message_id FROM p)
        RETURNING message.*`,
      closed_claim: deleteClaims("p"),
    },
    // The turn goes on with the whole message. Before that, each of many calls would read all of them again.
    select:
      event === "complete_action"
        ? `${ANSWERED} AS message, NULL AS parts`
        : "NULL AS message, (SELECT json_agg(p) FROM p) AS parts",
  });

export type CompletedAction = {
  chat: ChatRow;
  /** The message, when no call of it is open any more, as it would be read now. */
  messages: MessageRow[];
  /** Those of the message, or those that were changed. */
  parts: PartRow[];
};

const STATEMENTS: Record<ActionEvent, ReturnType<typeof createStatement>> = {
  complete_action: createStatement("complete_action"),
  decide_some: createStatement("decide_some"),
};

/**
 * Stores the outcomes of open calls and applies the event, if the chat has not changed since it was read.
 *
 * @param action.overridesClaims true for a person, whose answer counts although a program has claimed the call. Else each
 *   outcome has the token of the claim of its call, if there is one.
 * @returns undefined when the chat has changed and nothing was written.
 */
export const completeAction = async (
  db: Queryable,
  action: {
    chat: ChatRow;
    event: ActionEvent;
    outcomes: CallOutcome[];
    overridesClaims: boolean;
  },
): Promise<CompletedAction | undefined> => {
  const { chat, event, outcomes, overridesClaims } = action;
  const [row] = await runNamed<
    ChatAnswer & { message: MessageRecord | null; parts: PartRecord[] | null },
    ActionValues
  >(db, STATEMENTS[event], {
    chatId: chat.id,
    version: chat.version,
    outcomes: toOutcomesJson(outcomes),
    overridesClaims,
  });
  if (!row) return undefined;
  const messages = row.message ? [toMessageRow(row.message)] : [];
  const parts = messages[0]?.parts ?? (row.parts ?? []).map(toPartRow);
  return { chat: toChatRow(row.chat), messages, parts };
};
