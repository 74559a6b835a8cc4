import type { ChatStatus } from "@/contract/chat";
import type { Content } from "@/contract/content";
import type { JsonValue } from "@/contract/json";
import type { ToolCallState } from "@/contract/part";
import { NOTIFY_CHAT } from "./chat-writes";
import type { Queryable, Statement } from "./database";
import { toJsonText } from "./nul";
import { fromMessageJson, type MessageJson } from "./message-json";
import {
  CHAT_AS_JSON,
  type ChatAnswer,
  MESSAGE_COLUMNS,
  type PartRecord,
  toChatRow,
  toPartRow,
} from "./row-mapping";
import { PART_COLUMNS, PART_RECORD, toPartRecord } from "./part-record";
import type { ChatRow, MessageRow, PartRow, ToolCallPartRow } from "./rows";

const INSERT_USER: Statement = {
  name: "insert-user-message",
  text: `WITH m AS (
      INSERT INTO message (id, chat_id, seq, role, revision, created_by, turn_id)
      VALUES ($1::uuid, $2::uuid, $3, 'user', $4, $5, $7::uuid) RETURNING id, created_at
    ), p AS (
      INSERT INTO part (message_id, index, type, text)
      SELECT m.id, t.n - 1, 'text', t.text
      FROM m, jsonb_array_elements_text($6::jsonb) WITH ORDINALITY AS t(text, n)
    )
  SELECT created_at FROM m`,
};

export type NewUserMessage = {
  id: string;
  chatId: string;
  seq: number;
  turnId: string;
  revision: number;
  createdBy: string;
  content: Content;
};

export const insertUserMessage = async (
  tx: Queryable,
  message: NewUserMessage,
): Promise<MessageRow> => {
  const { id, chatId, seq, turnId, revision, createdBy, content } = message;
  const texts = content.map((part) => part.text);
  const [row] = await tx.query<{ created_at: Date }>(INSERT_USER, [
    id,
    chatId,
    seq,
    revision,
    createdBy,
    JSON.stringify(texts),
    turnId,
  ]);
  if (!row) throw new Error("an inserted message returned no row");
  return {
    id,
    chatId,
    seq,
    revision,
    role: "user",
    turnId,
    parts: content.map(({ text }) => ({ type: "text", text })),
    model: null,
    usage: null,
    finishReason: null,
    interrupted: false,
    createdBy,
    responseId: null,
    deleted: false,
    createdAt: row.created_at,
  };
};

const INSERT_PARTIAL: Statement = {
  name: "insert-partial-message",
  text: `WITH m AS (
      INSERT INTO message (id, chat_id, seq, role, revision, model, finish_reason, interrupted, turn_id)
      VALUES ($1::uuid, $2::uuid, $3, 'assistant', $4, $5, 'interrupted', true, $7::uuid) RETURNING id
    )
  INSERT INTO part (message_id, ${PART_COLUMNS})
  SELECT m.id, ${PART_COLUMNS.split(",")
    .map((column) => `x.${column.trim()}`)
    .join(", ")}
  FROM m, json_to_recordset($6::json) AS x${PART_RECORD}`,
};

/** The part of an answer that arrived before it was interrupted. */
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

const DELETE_FROM: Statement = {
  name: "delete-messages-from",
  text: `UPDATE message SET deleted = true, revision = $3
    WHERE chat_id = $1::uuid AND seq >= $2 AND NOT deleted`,
};

/** Soft-deletes a message and all after it. */
export const deleteMessagesFrom = async (
  tx: Queryable,
  { chatId, seq, revision }: { chatId: string; seq: number; revision: number },
): Promise<void> => {
  await tx.query(DELETE_FROM, [chatId, seq, revision]);
};

const DELETE_ANSWER: Statement = {
  name: "delete-answer",
  text: `UPDATE message SET deleted = true, revision = $3
    WHERE chat_id = $1::uuid AND turn_id = $2::uuid AND role = 'assistant' AND NOT deleted`,
};

const MOVE_TO_TURN: Statement = {
  name: "move-to-turn",
  text: `UPDATE message SET turn_id = $3::uuid, revision = $4
    WHERE chat_id = $1::uuid AND turn_id = $2::uuid AND NOT deleted`,
};

/** Soft-deletes the answer of a turn; what began that turn begins the new one. */
export const replaceAnswer = async (
  tx: Queryable,
  turn: { chatId: string; turnId: string; newTurnId: string; revision: number },
): Promise<void> => {
  const { chatId, turnId, newTurnId, revision } = turn;
  await tx.query(DELETE_ANSWER, [chatId, turnId, revision]);
  await tx.query(MOVE_TO_TURN, [chatId, turnId, newTurnId, revision]);
};

const LAST_ASSISTANT = `SELECT id FROM message
  WHERE chat_id = $1::uuid AND role = 'assistant' AND NOT deleted ORDER BY seq DESC LIMIT 1`;
const OPEN = `state IN ('running', 'awaiting_result', 'awaiting_approval') AND kind <> 'provider'`;

const OPEN_CALLS: Statement = {
  name: "open-calls",
  text: `SELECT * FROM part WHERE message_id = (${LAST_ASSISTANT}) AND ${OPEN} ORDER BY index`,
};

/** The open tool calls of the last assistant message, in call order. */
export const listOpenCalls = async (tx: Queryable, chatId: string): Promise<ToolCallPartRow[]> => {
  const records = await tx.query<PartRecord>(OPEN_CALLS, [chatId]);
  return records.map(toPartRow).filter((part) => part.type === "tool_call");
};

/** How one call ended, as it is written. */
export type CallAnswer = {
  toolCallId: string;
  state: ToolCallState;
  output: JsonValue;
  isError: boolean;
};

const toAnswerRecord = ({ toolCallId, state, output, isError }: CallAnswer) => ({
  tool_call_id: toolCallId,
  state,
  output,
  is_error: isError,
});

const ANSWER: Statement = {
  name: "answer-calls",
  text: `WITH p AS (
      UPDATE part SET state = x.state, output = coalesce(x.output, 'null'::json), is_error = x.is_error,
        resolved_by = $3, approved = false, completed_at = CASE WHEN x.state = 'running' THEN NULL ELSE now() END
      FROM json_to_recordset($2::json) AS x(tool_call_id text, state tool_call_state, output json, is_error boolean)
      WHERE part.message_id = (${LAST_ASSISTANT}) AND part.tool_call_id = x.tool_call_id
      RETURNING part.message_id
    )
  UPDATE message SET revision = $4 WHERE id IN (SELECT message_id FROM p)`,
};

/** Stores the outcomes of open calls of the last assistant message. */
export const answerCalls = async (
  tx: Queryable,
  calls: { chatId: string; revision: number; resolvedBy: string; answers: CallAnswer[] },
): Promise<void> => {
  const records = calls.answers.map(toAnswerRecord);
  await tx.query(ANSWER, [calls.chatId, toJsonText(records), calls.resolvedBy, calls.revision]);
};

const COMPLETE: Statement = {
  name: "complete-action",
  text: `WITH c AS (
      UPDATE chat SET version = version + 1, history_version = version + 1, attempt = 0, retry = NULL,
        status = $4::chat_status, updated_at = now(),
        action_deadline_at = CASE WHEN $4 = 'requires_action' THEN action_deadline_at END
      WHERE id = $1::uuid AND version = $2 AND status = 'requires_action'
      RETURNING *
    ), p AS (
      UPDATE part SET state = x.state, output = coalesce(x.output, 'null'::json), is_error = x.is_error,
        resolved_by = $5, completed_at = now()
      FROM c, json_to_recordset($3::json) AS x(tool_call_id text, state tool_call_state, output json, is_error boolean)
      WHERE part.message_id = (${LAST_ASSISTANT}) AND part.tool_call_id = x.tool_call_id
      RETURNING part.*
    ), m AS (
      UPDATE message SET revision = c.version FROM c WHERE message.id IN (SELECT message_id FROM p)
      RETURNING message.*
    )
  SELECT ${CHAT_AS_JSON}, (SELECT row_to_json(answered) FROM (
      SELECT ${MESSAGE_COLUMNS}, (SELECT json_agg(pieces ORDER BY index) FROM (
        SELECT * FROM p
        UNION ALL SELECT part.* FROM part WHERE part.message_id = m.id AND part.index NOT IN (SELECT index FROM p)
      ) AS pieces) AS parts FROM m
    ) AS answered) AS message, ${NOTIFY_CHAT} FROM c`,
};

/**
 * Stores the outcomes of open calls and moves the chat on, if it is still as it was read.
 *
 * @returns the chat and the message as both would be read now, or undefined when any transition
 *   has come between: nothing is written then.
 */
export const completeAction = async (
  db: Queryable,
  action: { chat: ChatRow; to: ChatStatus; resolvedBy: string; answers: CallAnswer[] },
): Promise<{ chat: ChatRow; messages: MessageRow[] } | undefined> => {
  const { chat, to, resolvedBy, answers } = action;
  const records = toJsonText(answers.map(toAnswerRecord));
  const [row] = await db.query<ChatAnswer & { message: MessageJson }>(COMPLETE, [
    ...[chat.id, chat.version, records, to, resolvedBy],
  ]);
  return row && { chat: toChatRow(row.chat), messages: [fromMessageJson(row.message)] };
};

const APPROVE: Statement = {
  name: "approve-calls",
  text: `WITH p AS (
      UPDATE part SET state = 'running', approved = true, resolved_by = $3
      WHERE message_id = (${LAST_ASSISTANT}) AND tool_call_id = ANY($2::text[]) AND state = 'awaiting_approval'
      RETURNING message_id
    )
  UPDATE message SET revision = $4 WHERE id IN (SELECT message_id FROM p)`,
};

/** Lets calls run that waited for a person's yes. */
export const approveCalls = async (
  tx: Queryable,
  calls: { chatId: string; revision: number; resolvedBy: string; toolCallIds: string[] },
): Promise<void> => {
  await tx.query(APPROVE, [calls.chatId, calls.toolCallIds, calls.resolvedBy, calls.revision]);
};

const CLOSE: Statement = {
  name: "close-calls",
  text: `WITH p AS (
      UPDATE part SET state = $2::tool_call_state, output = $3::json, is_error = true, resolved_by = $4,
        approved = false, completed_at = now()
      WHERE message_id = (${LAST_ASSISTANT}) AND ${OPEN}
      RETURNING message_id
    )
  UPDATE message SET revision = $5 WHERE id IN (SELECT message_id FROM p) RETURNING id`,
};

/** Ends every open call of the last assistant message without a result. @returns true when there was one. */
export const closeOpenCalls = async (
  tx: Queryable,
  calls: {
    chatId: string;
    revision: number;
    resolvedBy: string;
    outcome: { state: ToolCallState; output: JsonValue };
  },
): Promise<boolean> => {
  const touched = await tx.query(CLOSE, [
    calls.chatId,
    calls.outcome.state,
    JSON.stringify(calls.outcome.output),
    calls.resolvedBy,
    calls.revision,
  ]);
  return touched.length > 0;
};

const SETTLE_PARTS: Statement = {
  name: "settle-parts",
  text: `WITH p AS (
      UPDATE part SET state = x.state, output = x.output, is_error = x.is_error, for_user = x.for_user,
        silent = x.silent, response_handled = x.response_handled, artifacts = x.artifacts,
        resolved_by = x.resolved_by, approved = x.approved, completed_at = x.completed_at
      FROM json_to_recordset($2::json) AS x${PART_RECORD}
      WHERE part.message_id = $1::uuid AND part.tool_call_id = x.tool_call_id AND part.state = 'running'
    )
  UPDATE message SET revision = $3 WHERE id = $1::uuid`,
};

/** Stores the outcomes of calls that had ended when their turn was interrupted. */
export const settleParts = async (
  tx: Queryable,
  settled: { messageId: string; calls: ToolCallPartRow[]; revision: number },
): Promise<void> => {
  await tx.query(SETTLE_PARTS, [
    settled.messageId,
    toJsonText(settled.calls.map(toPartRecord)),
    settled.revision,
  ]);
};
