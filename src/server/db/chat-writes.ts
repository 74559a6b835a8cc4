import type { ChatStatus } from "@/contract/chat";
import type { ChatError } from "@/contract/chat-error";
import { isUuid } from "@/lib/is-uuid";
import type { Queryable, Statement } from "./database";
import { toJsonText } from "./nul";
import { CHAT_AS_JSON, type ChatAnswer, toChatRow } from "./row-mapping";
import type { ChatRow } from "./rows";

/** The channel on which every transition is announced, as "<chat id> <version> <status> <owner id>". */
export const CHAT_CHANNEL = "parley_chat";

/**
 * The chat that $1 names, if it belongs to whom $2 names. The comparison cannot use the index of owners,
 * through which a planner without statistics would look at all chats of the owner.
 */
export const OWNED_CHAT = "id = $1::uuid AND owner_id IS NOT DISTINCT FROM $2";

/** A root chat, named by $1, with its children. */
const FAMILY = `id IN (SELECT $1::uuid
  UNION ALL SELECT id FROM chat WHERE parent_chat_id IS NOT NULL AND root_chat_id = $1::uuid)`;

/** Announces the row of a CTE `c`; PostgreSQL delivers it when the transaction has committed. */
export const NOTIFY_CHAT = `pg_notify('${CHAT_CHANNEL}', c.id || ' ' || c.version || ' ' || c.status || ' ' || c.owner_id)`;

const LOCK: Statement = {
  name: "lock-chat",
  text: `SELECT ${CHAT_AS_JSON} FROM chat c WHERE id = $1::uuid AND ($2::text IS NULL OR owner_id = $2) FOR UPDATE`,
};

/**
 * Locks one chat until the transaction ends; the first statement of every transition.
 *
 * @param ownerId whose chat it must be; null for the worker.
 */
export const lockChat = async (
  tx: Queryable,
  { chatId, ownerId }: { chatId: string; ownerId: string | null },
): Promise<ChatRow | undefined> => {
  if (!isUuid(chatId)) return undefined;
  const [record] = await tx.query<ChatAnswer>(LOCK, [chatId, ownerId]);
  return record && toChatRow(record.chat);
};

/** The machine's fields after a transition. */
export type MachineFields = {
  id: string;
  status: ChatStatus;
  archived: boolean;
  version: number;
  historyVersion: number;
  queueVersion: number;
  attempt: number;
  /** The lease holder goes on with the chat. */
  keepsLease: boolean;
  keepsRetry: boolean;
  keepsDeadline: boolean;
  lastError: ChatError | null;
  lastSeq: number;
  queuedCount: number;
  /** A new turn, or null while it goes on. */
  newTurnId: string | null;
  turnSteps: number;
  modelId: string | null;
};

const SAVE: Statement = {
  name: "save-chat",
  text: `WITH c AS (
    UPDATE chat SET
      status = $2::chat_status,
      archived_at = CASE WHEN $3 THEN coalesce(archived_at, now()) END,
      version = $4, history_version = $5, queue_version = $6, attempt = $7,
      lease_owner = CASE WHEN $8 THEN lease_owner END,
      lease_token = CASE WHEN $8 THEN lease_token END,
      lease_expires_at = CASE WHEN $8 THEN lease_expires_at END,
      retry = CASE WHEN $9 THEN retry END,
      action_deadline_at = CASE WHEN $10 THEN action_deadline_at END,
      last_error = $11::jsonb, last_seq = $12, queued_count = $13, turn_steps = $14,
      model_id = $15::uuid, turn_id = coalesce($16::uuid, turn_id), updated_at = now()
    WHERE id = $1::uuid RETURNING *)
  SELECT ${CHAT_AS_JSON}, ${NOTIFY_CHAT} FROM c`,
};

/** Writes the machine's fields of a locked chat and announces the new version. */
export const saveChat = async (tx: Queryable, next: MachineFields): Promise<ChatRow> => {
  const [record] = await tx.query<ChatAnswer>(SAVE, [
    next.id,
    next.status,
    next.archived,
    next.version,
    next.historyVersion,
    next.queueVersion,
    next.attempt,
    next.keepsLease,
    next.keepsRetry,
    next.keepsDeadline,
    next.lastError && JSON.stringify(next.lastError),
    next.lastSeq,
    next.queuedCount,
    next.turnSteps,
    next.modelId,
    next.newTurnId,
  ]);
  if (!record) throw new Error(`chat ${next.id} vanished while it was locked`);
  return toChatRow(record.chat);
};

export type NewChat = {
  id: string;
  ownerId: string;
  messageId: string;
  turnId: string;
  createdBy: string;
  title: string;
  texts: string[];
  systemPrompt: string | null;
  /** Null takes the default model. */
  modelId: string | null;
  dynamicTools: unknown[];
  warnings: string[];
  labels: Record<string, string>;
  actionTimeoutSeconds: number;
  maxSteps: number;
};

const INSERT: Statement = {
  name: "insert-chat",
  text: `WITH m AS (
      SELECT id FROM model WHERE enabled AND CASE WHEN $7::uuid IS NULL THEN is_default ELSE id = $7::uuid END
    ), c AS (
      INSERT INTO chat (id, owner_id, root_chat_id, status, version, history_version, last_seq, turn_id,
        title, system_prompt, model_id, dynamic_tools, warnings, labels, action_timeout_seconds, max_steps)
      SELECT $1::uuid, $2, $1::uuid, 'pending', 1, 1, 1, $14::uuid, $5, $6, (SELECT id FROM m), $8::json, $9::jsonb,
        $10::jsonb, $11, $12
      WHERE $7::uuid IS NULL OR EXISTS (SELECT FROM m)
      RETURNING *
    ), message AS (
      INSERT INTO message (id, chat_id, seq, role, turn_id, revision, created_by)
      SELECT $3::uuid, c.id, 1, 'user', c.turn_id, 1, $4 FROM c RETURNING id
    ), part AS (
      INSERT INTO part (message_id, index, type, text)
      SELECT message.id, t.n - 1, 'text', t.text
      FROM message, jsonb_array_elements_text($13::jsonb) WITH ORDINALITY AS t(text, n)
    )
  SELECT ${CHAT_AS_JSON}, ${NOTIFY_CHAT} FROM c`,
};

/** @returns the new chat with its first message, or undefined when the model is unknown or disabled. */
export const insertChat = async (db: Queryable, chat: NewChat): Promise<ChatRow | undefined> => {
  const [record] = await db.query<ChatAnswer>(INSERT, [
    chat.id,
    chat.ownerId,
    chat.messageId,
    chat.createdBy,
    chat.title,
    chat.systemPrompt,
    chat.modelId,
    toJsonText(chat.dynamicTools),
    JSON.stringify(chat.warnings),
    JSON.stringify(chat.labels),
    chat.actionTimeoutSeconds,
    chat.maxSteps,
    JSON.stringify(chat.texts),
    chat.turnId,
  ]);
  return record && toChatRow(record.chat);
};

const DELETE: Statement = {
  name: "delete-family",
  text: `WITH c AS (DELETE FROM chat WHERE ${FAMILY} RETURNING id, owner_id, version, 'deleted' AS status)
    SELECT c.id, ${NOTIFY_CHAT} FROM c`,
};

/** Deletes a root chat with its children, and all that hangs on them. */
export const deleteFamily = async (tx: Queryable, rootChatId: string): Promise<void> => {
  await tx.query(DELETE, [rootChatId]);
};

const LOCK_FAMILY: Statement = {
  name: "lock-family",
  text: `SELECT ${CHAT_AS_JSON} FROM chat c WHERE ${FAMILY} ORDER BY id FOR UPDATE`,
};

/** Locks a root chat and its children, always in the same order. */
export const lockFamily = async (tx: Queryable, rootChatId: string): Promise<ChatRow[]> =>
  (await tx.query<ChatAnswer>(LOCK_FAMILY, [rootChatId])).map(({ chat }) => toChatRow(chat));

export type Metadata = {
  title?: string | undefined;
  pinned?: boolean | undefined;
  labels?: Record<string, string> | undefined;
  modelId?: string | undefined;
};

const SAVE_METADATA: Statement = {
  name: "save-metadata",
  text: `WITH c AS (
    UPDATE chat SET version = version + 1,
      title = coalesce($2, title), titled = titled OR $2 IS NOT NULL,
      pinned = coalesce($3::boolean, pinned), labels = coalesce($4::jsonb, labels),
      model_id = coalesce($5::uuid, model_id)
    WHERE id = $1::uuid RETURNING *)
  SELECT ${CHAT_AS_JSON}, ${NOTIFY_CHAT} FROM c`,
};

/** Changes metadata only: the version rises so that watchers hear of it, the history's does not. */
export const saveMetadata = async (
  tx: Queryable,
  chatId: string,
  { title, pinned, labels, modelId }: Metadata,
): Promise<ChatRow> => {
  const [record] = await tx.query<ChatAnswer>(SAVE_METADATA, [
    chatId,
    title ?? null,
    pinned ?? null,
    labels ? JSON.stringify(labels) : null,
    modelId ?? null,
  ]);
  if (!record) throw new Error(`chat ${chatId} vanished while it was locked`);
  return toChatRow(record.chat);
};
