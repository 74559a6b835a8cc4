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
import { type NamedStatement, runNamed } from "@/server/db/sql/rows/named-statement";
import {
  type ClaimedChat,
  type ClaimRecord,
  type ClaimRoom,
  IS_WITHOUT_OTHER_HOLDER,
  shortHistory,
  TAKE_LEASE,
  toClaimedChat,
  TURN_COLUMNS,
} from "./claim";
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

/** A claim besides the outcomes: the version proves that the snapshot has the history before them. */
const CLAIM = {
  then: "acquire",
  where: `NOT agent_queued AND ${IS_WITHOUT_OTHER_HOLDER}`,
  assign: { ...TAKE_LEASE, attempt: "1" },
  columns: `, ${TURN_COLUMNS}, ${shortHistory("(SELECT history_version FROM chat WHERE id = $chatId::uuid AND version = $version)")} AS history`,
} as const;

const createStatement = <Values extends ActionValues>(event: ActionEvent, claim?: typeof CLAIM) =>
  transitionStatement<Values>({
    name: `answer-and-${claim ? "claim" : event}`,
    event,
    then: claim?.then,
    where: (guard) =>
      `id = $chatId::uuid AND version = $version AND ${guard} AND ${claim?.where ?? "true"} AND ${IS_OF_HOLDER}`,
    change: {
      historyChanged: "true",
      outcomes: "$outcomes",
      ...(claim && { assign: claim.assign }),
    },
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
        ? `${ANSWERED} AS message, NULL AS parts${claim?.columns ?? ""}`
        : "NULL AS message, (SELECT json_agg(p) FROM p) AS parts",
  });

export type CompletedAction = {
  chat: ChatRow;
  /** The message, when no call of it is open any more, as it would be read now. */
  messages: MessageRow[];
  /** Those of the message, or those that were changed. */
  parts: PartRow[];
  /** The chat, when the worker has claimed it. */
  claimed?: ClaimedChat;
};

const STATEMENTS: Record<ActionEvent, NamedStatement<ActionValues>> = {
  complete_action: createStatement("complete_action"),
  decide_some: createStatement("decide_some"),
};

const COMPLETE_AND_CLAIM = createStatement<ActionValues & ClaimRoom>("complete_action", CLAIM);

/** What is stored of a chat, as it was read. */
export type Completion = {
  chat: ChatRow;
  event: ActionEvent;
  outcomes: CallOutcome[];
  /**
   * True for a person, whose answer counts although a program has claimed the call. Else each outcome has the token of the claim
   * of its call, if there is one.
   */
  overridesClaims: boolean;
};

/**
 * Stores the outcomes of open calls and applies the event, if the chat has not changed since it was read.
 *
 * @param room of a worker with room (`hasRoom`), which gets the chat unless another one has what it runs.
 * @returns undefined when the chat has changed and nothing was written.
 */
export const completeAction = async (
  db: Queryable,
  completion: Completion,
  room?: ClaimRoom,
): Promise<CompletedAction | undefined> => {
  const { chat, event, outcomes, overridesClaims } = completion;
  const values: ActionValues = {
    chatId: chat.id,
    version: chat.version,
    outcomes: toOutcomesJson(outcomes),
    overridesClaims,
  };
  if (room && event === "complete_action") {
    const claimed = await claimCompleted(db, { ...values, ...room });
    if (claimed) return claimed;
  }
  const [row] = await runNamed<ActionAnswer, ActionValues>(db, STATEMENTS[event], values);
  return row && toCompleted(row);
};

const claimCompleted = async (
  db: Queryable,
  values: ActionValues & ClaimRoom,
): Promise<CompletedAction | undefined> => {
  const [row] = await runNamed<ActionAnswer & ClaimRecord, typeof values>(
    db,
    COMPLETE_AND_CLAIM,
    values,
  );
  if (!row) return undefined;
  const completed = toCompleted(row);
  const [answered] = completed.messages;
  const claimed = toClaimedChat({ ...row, last_retry: null });
  const history = claimed.history?.map((message) =>
    message.id === answered?.id ? answered : message,
  );
  return { ...completed, claimed: { ...claimed, history } };
};

type ActionAnswer = ChatAnswer & { message: MessageRecord | null; parts: PartRecord[] | null };

const toCompleted = (row: ActionAnswer): CompletedAction => {
  const messages = row.message ? [toMessageRow(row.message)] : [];
  const parts = messages[0]?.parts ?? (row.parts ?? []).map(toPartRow);
  return { chat: toChatRow(row.chat), messages, parts };
};
