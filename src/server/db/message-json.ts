import { MESSAGE_COLUMNS, type MessageRecord, type PartRecord } from "./row-mapping";
import { toMessageRow, toPartRow } from "./row-mapping";
import type { MessageRow } from "./rows";

/** A message with its parts as SQL makes it of `messagesAsJson`. */
export type MessageJson = MessageRecord & { parts: PartRecord[] | null };

/**
 * SQL of a JSON array of messages with their parts, ascending by `seq`. A deleted message comes
 * without its parts.
 *
 * @param clauses what follows FROM message, with its WHERE, ORDER BY and LIMIT.
 */
export const messagesAsJson = (clauses: string): string => `(
  SELECT json_agg(page ORDER BY page.seq) FROM (
    SELECT ${MESSAGE_COLUMNS}, CASE WHEN NOT deleted THEN (
      SELECT json_agg(part ORDER BY part.index) FROM part WHERE part.message_id = message.id
    ) END AS parts
    FROM message ${clauses}
  ) AS page)`;

export const fromMessageJson = (record: MessageJson): MessageRow =>
  toMessageRow(record, (record.parts ?? []).map(toPartRow));

/** SQL of a JSON array of the chat's queue; the next message is first. */
export const QUEUE_AS_JSON = `CASE WHEN queued_count > 0 THEN (
  SELECT json_agg(queued_message ORDER BY position) FROM queued_message
  WHERE queued_message.chat_id = chat.id) END`;
