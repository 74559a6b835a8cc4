import type { Content } from "@/contract/content";
import type { JsonValue } from "@/contract/json";
import type { ToolCallState } from "@/contract/part";
import type { Queryable, Statement } from "./database";
import { toJsonText } from "./nul";
import type { MessageRow, PartRow, ToolCallPartRow } from "./rows";
import { answersOf, type CallAnswer, lastAssistant, toAnswerRecord } from "./sql/call-answers";
import {
  insertParts,
  type PartRecord,
  settleParts,
  toPartRecord,
  toPartRow,
} from "./sql/part-columns";

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
  ${insertParts("m", "$6")}`,
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

const LAST_ASSISTANT = lastAssistant("$1");
const OPEN = `state IN ('running', 'awaiting_result', 'awaiting_approval') AND kind <> 'provider'`;

const OPEN_CALLS: Statement = {
  name: "open-calls",
  text: `SELECT * FROM part WHERE message_id = ${LAST_ASSISTANT} AND ${OPEN} ORDER BY index`,
};

/** The open tool calls of the last assistant message, in call order. */
export const listOpenCalls = async (tx: Queryable, chatId: string): Promise<ToolCallPartRow[]> => {
  const records = await tx.query<PartRecord>(OPEN_CALLS, [chatId]);
  return records.map(toPartRow).filter((part) => part.type === "tool_call");
};

const ANSWER: Statement = {
  name: "answer-calls",
  text: `WITH p AS (
      UPDATE part SET state = x.state, output = coalesce(x.output, 'null'::json), is_error = x.is_error,
        resolved_by = $3, approved = false, completed_at = CASE WHEN x.state = 'running' THEN NULL ELSE now() END
      FROM ${answersOf("$2")}
      WHERE part.message_id = ${LAST_ASSISTANT} AND part.tool_call_id = x.tool_call_id
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

const APPROVE: Statement = {
  name: "approve-calls",
  text: `WITH p AS (
      UPDATE part SET state = 'running', approved = true, resolved_by = $3
      WHERE message_id = ${LAST_ASSISTANT} AND tool_call_id = ANY($2::text[]) AND state = 'awaiting_approval'
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
      WHERE message_id = ${LAST_ASSISTANT} AND ${OPEN}
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
