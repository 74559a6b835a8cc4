import type { Content } from "@/contract/content";
import type { Queryable, Statement } from "./database";
import type { QueuedMessageRow } from "./rows";
import { type QueuedMessageRecord, toQueuedMessageRow } from "./sql/queue-columns";

export type NewQueuedMessage = {
  id: string;
  chatId: string;
  content: Content;
  modelId: string | null;
  createdBy: string;
};

const INSERT: Statement = {
  name: "enqueue-message",
  text: `INSERT INTO queued_message (id, chat_id, position, content, model_id, created_by)
    SELECT $1::uuid, $2::uuid, coalesce(max(position), 0) + 1, $3::jsonb, $4::uuid, $5
    FROM queued_message WHERE chat_id = $2::uuid RETURNING *`,
};

/** Adds a message to the tail of a locked chat's queue. */
export const enqueueMessage = async (
  tx: Queryable,
  message: NewQueuedMessage,
): Promise<QueuedMessageRow> => {
  const [record] = await tx.query<QueuedMessageRecord>(INSERT, [
    message.id,
    message.chatId,
    JSON.stringify(message.content),
    message.modelId,
    message.createdBy,
  ]);
  if (!record) throw new Error("a queued message returned no row");
  return toQueuedMessageRow(record);
};

const HEAD: Statement = {
  name: "take-queue-head",
  text: `DELETE FROM queued_message WHERE id = (
      SELECT id FROM queued_message WHERE chat_id = $1::uuid ORDER BY position LIMIT 1
    ) RETURNING *`,
};

/** Removes and returns the message that is next. */
export const takeQueueHead = async (
  tx: Queryable,
  chatId: string,
): Promise<QueuedMessageRow | undefined> => {
  const [record] = await tx.query<QueuedMessageRecord>(HEAD, [chatId]);
  return record && toQueuedMessageRow(record);
};

const TAKE: Statement = {
  name: "take-queued-message",
  text: `DELETE FROM queued_message WHERE id = $2::uuid AND chat_id = $1::uuid RETURNING *`,
};

/** Removes and returns one message of the queue, or undefined when it is not there. */
export const takeQueuedMessage = async (
  tx: Queryable,
  chatId: string,
  queuedId: string,
): Promise<QueuedMessageRow | undefined> => {
  const [record] = await tx.query<QueuedMessageRecord>(TAKE, [chatId, queuedId]);
  return record && toQueuedMessageRow(record);
};

const TO_HEAD: Statement = {
  name: "move-to-queue-head",
  text: `UPDATE queued_message SET position = (
      SELECT min(position) - 1 FROM queued_message WHERE chat_id = $1::uuid
    ) WHERE id = $2::uuid AND chat_id = $1::uuid RETURNING id`,
};

/** Makes one message of the queue the next. @returns false when it is not there. */
export const moveToQueueHead = async (
  tx: Queryable,
  chatId: string,
  queuedId: string,
): Promise<boolean> => (await tx.query(TO_HEAD, [chatId, queuedId])).length > 0;

const CLEAR: Statement = {
  name: "clear-queue",
  text: `DELETE FROM queued_message WHERE chat_id = $1::uuid`,
};

export const clearQueue = async (tx: Queryable, chatId: string): Promise<void> => {
  await tx.query(CLEAR, [chatId]);
};
