import type { ChatRetry } from "@/contract/chat-error";
import type { FinishReason } from "@/contract/message";
import type { MessageUsage } from "@/contract/usage";
import { NOTIFY_CHAT } from "./chat-writes";
import type { Queryable, Statement } from "./database";
import { fromJsonText, toJsonText } from "./nul";
import { PART_COLUMNS, PART_RECORD, toPartRecord } from "./part-record";
import {
  CHAT_AS_JSON,
  type ChatAnswer,
  type PartRecord,
  toChatRow,
  toPartRow,
} from "./row-mapping";
import type { ChatRow, MessageRow, PartRow, ToolCallPartRow } from "./rows";
import { addUses, type NewAdvisorUse, useValues } from "./usage-writes";

/** What a worker proves with every write: its lease, and the history that it worked from. */
export type Fence = { chatId: string; leaseToken: string; historyVersion: number };

/** What becomes of the chat with a commit: the worker goes on, parks it, or ends the turn. */
export type AfterCommit =
  | { type: "continue" }
  | { type: "park"; timeoutSeconds: number }
  /** A queue that is not empty keeps the chat running, so that its head can enter. */
  | { type: "finish" };

const FENCED = `id = $1::uuid AND lease_token = $2::uuid AND history_version = $3 AND status = 'running'`;
const RESTS = `($5 = 'park' OR ($5 = 'finish' AND queued_count = 0))`;

/** Sets what every commit sets; $4 is the number of new messages, $5 what comes after, $6 the timeout. */
const COMMIT_SET = `version = version + 1, history_version = version + 1, attempt = 0, retry = NULL,
  updated_at = now(), last_seq = last_seq + $4, turn_steps = turn_steps + $4,
  status = CASE WHEN $5 = 'park' THEN 'requires_action'::chat_status
    WHEN $5 = 'finish' AND queued_count = 0 THEN 'waiting'::chat_status ELSE status END,
  lease_owner = CASE WHEN ${RESTS} THEN NULL ELSE lease_owner END,
  lease_token = CASE WHEN ${RESTS} THEN NULL ELSE lease_token END,
  lease_expires_at = CASE WHEN ${RESTS} THEN NULL ELSE lease_expires_at END,
  action_deadline_at = CASE WHEN $5 = 'park' THEN now() + make_interval(secs => $6) END`;

const fenceValues = (fence: Fence, messages: number, after: AfterCommit) => [
  fence.chatId,
  fence.leaseToken,
  fence.historyVersion,
  messages,
  after.type,
  after.type === "park" ? after.timeoutSeconds : 0,
];

const COMMIT_STEP: Statement = {
  name: "commit-step",
  text: `WITH c AS (
      UPDATE chat SET ${COMMIT_SET},
        usage = add_usage(usage, 'turn', $14, $15, $16), context_tokens = $14 + $15
      WHERE ${FENCED} RETURNING *
    ), m AS (
      INSERT INTO message (id, chat_id, seq, role, turn_id, revision, model, usage, finish_reason, response_id)
      SELECT $7::uuid, c.id, c.last_seq, 'assistant', c.turn_id, c.version, $8, $9::jsonb, $10, $11 FROM c
      RETURNING id, created_at
    ), p AS (
      INSERT INTO part (message_id, ${PART_COLUMNS})
      SELECT m.id, ${PART_COLUMNS.split(",")
        .map((column) => `x.${column.trim()}`)
        .join(", ")}
      FROM m, json_to_recordset($12::json) AS x${PART_RECORD}
    ), u AS (
      INSERT INTO usage_record (id, chat_id, message_id, turn_id, kind, model, input_tokens, output_tokens, cost_micros)
      SELECT $13::uuid, c.id, $7::uuid, c.turn_id, 'turn', $8, $14, $15, $16 FROM c
    )
  SELECT ${CHAT_AS_JSON}, m.created_at AS message_created_at, ${NOTIFY_CHAT} FROM c, m`,
};

export type NewStep = {
  messageId: string;
  usageId: string;
  /** "provider/model". */
  model: string;
  parts: PartRow[];
  usage: MessageUsage;
  costMicros: number;
  finishReason: FinishReason;
  responseId: string | null;
};

/**
 * Appends an assistant message, with all that comes after it, in one statement.
 *
 * @returns the chat and the message as both would be read now, or undefined when the lease is lost
 *   or the history has changed: nothing is written then.
 */
export const commitStep = async (
  db: Queryable,
  fence: Fence,
  { step, after }: { step: NewStep; after: AfterCommit },
): Promise<{ chat: ChatRow; message: MessageRow } | undefined> => {
  const parts = toJsonText(step.parts.map(toPartRecord));
  const [record] = await db.query<ChatAnswer & { message_created_at: Date }>(COMMIT_STEP, [
    ...fenceValues(fence, 1, after),
    step.messageId,
    step.model,
    JSON.stringify(step.usage),
    step.finishReason,
    step.responseId,
    parts,
    step.usageId,
    step.usage.input_tokens,
    step.usage.output_tokens,
    step.costMicros,
  ]);
  if (!record) return undefined;
  const chat = toChatRow(record.chat);
  const message: MessageRow = {
    id: step.messageId,
    chatId: chat.id,
    seq: chat.lastSeq,
    revision: chat.version,
    role: "assistant",
    turnId: chat.turnId,
    parts: (fromJsonText(parts) as PartRecord[]).map(toPartRow),
    model: step.model,
    usage: step.usage,
    finishReason: step.finishReason,
    interrupted: false,
    createdBy: null,
    responseId: step.responseId,
    deleted: false,
    createdAt: record.message_created_at,
  };
  return { chat, message };
};

const SETTLED_USES = addUses(9, "c", "$7::uuid");

const SETTLE: Statement = {
  name: "settle-calls",
  text: `WITH c AS (
      UPDATE chat SET ${COMMIT_SET}, ${SETTLED_USES.totals} WHERE ${FENCED} RETURNING *
    ), m AS (
      UPDATE message SET revision = c.version FROM c WHERE message.id = $7::uuid
    ), p AS (
      UPDATE part SET state = x.state, output = x.output, is_error = x.is_error, for_user = x.for_user,
        silent = x.silent, response_handled = x.response_handled, artifacts = x.artifacts,
        resolved_by = x.resolved_by, approved = x.approved, started_at = x.started_at, completed_at = x.completed_at
      FROM c, json_to_recordset($8::json) AS x${PART_RECORD}
      WHERE part.message_id = $7::uuid AND part.tool_call_id = x.tool_call_id AND part.state = 'running'
    ), u AS (${SETTLED_USES.rows})
  SELECT ${CHAT_AS_JSON}, ${NOTIFY_CHAT} FROM c`,
};

/** Calls that ran, and what their own model calls cost. */
export type SettledCalls = {
  messageId: string;
  calls: ToolCallPartRow[];
  uses: readonly NewAdvisorUse[];
};

/**
 * Stores what became of calls that ran, in one statement.
 *
 * @returns the chat, or undefined when the lease is lost: nothing is written then.
 */
export const settleCalls = async (
  db: Queryable,
  fence: Fence,
  { messageId, calls, uses, after }: SettledCalls & { after: AfterCommit },
): Promise<ChatRow | undefined> => {
  const [record] = await db.query<ChatAnswer>(SETTLE, [
    ...fenceValues(fence, 0, after),
    messageId,
    toJsonText(calls.map(toPartRecord)),
    ...useValues(uses),
  ]);
  return record && toChatRow(record.chat);
};

const REST: Statement = {
  name: "rest-chat",
  text: `WITH c AS (
      UPDATE chat SET ${COMMIT_SET} WHERE ${FENCED} RETURNING *
    ), m AS (
      UPDATE message SET revision = c.version, finish_reason = $7 FROM c
      WHERE $7::text IS NOT NULL AND message.id = (
        SELECT id FROM message WHERE chat_id = $1::uuid AND role = 'assistant' AND NOT deleted ORDER BY seq DESC LIMIT 1)
    )
  SELECT ${CHAT_AS_JSON}, ${NOTIFY_CHAT} FROM c`,
};

/**
 * Parks the chat or ends its turn without writing history; `notice` marks the last answer.
 *
 * @returns the chat, or undefined when the lease is lost.
 */
export const restChat = async (
  db: Queryable,
  fence: Fence,
  { after, notice }: { after: AfterCommit; notice: FinishReason | null },
): Promise<ChatRow | undefined> => {
  const [record] = await db.query<ChatAnswer>(REST, [...fenceValues(fence, 0, after), notice]);
  return record && toChatRow(record.chat);
};

const RETRY: Statement = {
  name: "record-retry",
  text: `WITH c AS (
    UPDATE chat SET version = version + 1, retry = $4::jsonb || jsonb_build_object('retrying_at',
      to_char((now() + make_interval(secs => $5)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    WHERE ${FENCED} RETURNING *)
  SELECT ${CHAT_AS_JSON}, ${NOTIFY_CHAT} FROM c`,
};

/** Tells clients that the model call will be tried again, and when. */
export const recordRetry = async (
  db: Queryable,
  fence: Fence,
  retry: Omit<ChatRetry, "retrying_at">,
): Promise<ChatRow | undefined> => {
  const [record] = await db.query<ChatAnswer>(RETRY, [
    fence.chatId,
    fence.leaseToken,
    fence.historyVersion,
    JSON.stringify(retry),
    retry.delay_ms / 1000,
  ]);
  return record && toChatRow(record.chat);
};

const ATTEMPT: Statement = {
  name: "record-attempt",
  text: `WITH c AS (
    UPDATE chat SET version = version + 1, attempt = attempt + 1, retry = NULL
    WHERE ${FENCED} RETURNING *)
  SELECT ${CHAT_AS_JSON}, ${NOTIFY_CHAT} FROM c`,
};

/** Counts one more try of the same step. */
export const recordAttempt = async (db: Queryable, fence: Fence): Promise<ChatRow | undefined> => {
  const { chatId, leaseToken, historyVersion } = fence;
  const [record] = await db.query<ChatAnswer>(ATTEMPT, [chatId, leaseToken, historyVersion]);
  return record && toChatRow(record.chat);
};

const START_APPROVED: Statement = {
  name: "start-approved-calls",
  text: `UPDATE part SET approved = false, started_at = now()
    FROM chat WHERE chat.${FENCED} AND part.message_id = $4::uuid AND part.tool_call_id = ANY($5::text[])
      AND part.approved AND part.state = 'running' RETURNING part.tool_call_id`,
};

/**
 * Marks approved calls as started before they run, so that a crash while they run is known.
 *
 * @returns false when the lease is lost.
 */
export const startApprovedCalls = async (
  db: Queryable,
  fence: Fence,
  calls: { messageId: string; toolCallIds: string[] },
): Promise<boolean> => {
  const rows = await db.query(START_APPROVED, [
    fence.chatId,
    fence.leaseToken,
    fence.historyVersion,
    calls.messageId,
    calls.toolCallIds,
  ]);
  return rows.length === calls.toolCallIds.length;
};

const EXPIRED: Statement = {
  name: "expired-actions",
  text: `SELECT id FROM chat WHERE status = 'requires_action' AND action_deadline_at < now()
    ORDER BY action_deadline_at LIMIT $1`,
};

/** Parked chats whose deadline has passed. */
export const listExpiredActions = async (db: Queryable, limit: number): Promise<string[]> =>
  (await db.query<{ id: string }>(EXPIRED, [limit])).map(({ id }) => id);

const EXPIRED_NOW: Statement = {
  name: "action-expired",
  text: `SELECT action_deadline_at < now() AS expired FROM chat WHERE id = $1::uuid`,
};

/** Asks the database's clock, under the row lock, whether the deadline has passed. */
export const isActionExpired = async (tx: Queryable, chatId: string): Promise<boolean> =>
  (await tx.query<{ expired: boolean }>(EXPIRED_NOW, [chatId]))[0]?.expired ?? false;
