import type { QueuedMessage } from "@/server/db/generated/client";
import type { QueuedMessageRow } from "@/server/db/chats/rows";
import { createRowReader, toColumns } from "./table-columns";

const QUEUED_MESSAGE = toColumns({
  id: "uuid",
  chatId: "uuid",
  position: "int",
  content: "jsonb",
  modelId: "uuid",
  mentions: "jsonb",
  parameters: "jsonb",
  responseFormat: "json",
  createdBy: "text",
  steers: "boolean",
  createdAt: "timestamptz",
} as const satisfies Record<keyof QueuedMessage, string>);

/** The order in which messages leave the queue. */
export const QUEUE_ORDER = "steers DESC, position";

/** SQL of a JSON array of the chat's queue; the next message is first. */
export const QUEUE_AS_JSON = `CASE WHEN queued_count > 0 THEN (
  SELECT json_agg(queued_message ORDER BY ${QUEUE_ORDER}) FROM queued_message
  WHERE queued_message.chat_id = chat.id) END`;

/** A row of `queued_message` as SQL names its columns. */
export type QueuedMessageRecord = Record<string, unknown>;

export const toQueuedMessageRow: (record: QueuedMessageRecord) => QueuedMessageRow =
  createRowReader<QueuedMessageRow>(QUEUED_MESSAGE);
