import type { Message } from "@/server/db/generated/client";
import type { MessageRow, PartRow } from "@/server/db/rows";
import { columnNames, createRowReader, toColumns } from "./table-columns";
import { type PartRecord, toPartRow } from "./part-columns";

const MESSAGE = toColumns({
  id: "uuid",
  chatId: "uuid",
  seq: "int",
  revision: "int",
  role: "message_role",
  turnId: "uuid",
  model: "text",
  usage: "jsonb",
  finishReason: "text",
  interrupted: "boolean",
  createdBy: "text",
  responseId: "text",
  deleted: "boolean",
  createdAt: "timestamptz",
} as const satisfies Record<Exclude<keyof Message, "visibility">, string>);

export const MESSAGE_COLUMNS = columnNames(MESSAGE);

const readMessage = createRowReader<Omit<MessageRow, "parts">>(MESSAGE);

/** A message as `messagesAsJson` makes it, with its parts. */
export type MessageRecord = { parts: PartRecord[] | null };

/** SQL of the JSON array of the parts of the message of a query; NULL when it has none. */
const PARTS_AS_JSON = `(SELECT json_agg(part ORDER BY part.index) FROM part WHERE part.message_id = message.id)`;

/**
 * SQL of a JSON array of messages with their parts, ascending by `seq`. A deleted message comes
 * without its parts.
 *
 * @param clauses what follows FROM message, with its WHERE, ORDER BY and LIMIT.
 */
export const messagesAsJson = (clauses: string): string => `(
  SELECT json_agg(page ORDER BY page.seq) FROM (
    SELECT ${MESSAGE_COLUMNS}, CASE WHEN NOT deleted THEN ${PARTS_AS_JSON} END AS parts
    FROM message ${clauses}
  ) AS page)`;

export const toMessageRow = (record: MessageRecord): MessageRow =>
  withParts(record, (record.parts ?? []).map(toPartRow));

/** A message of a record of `SELECT ${MESSAGE_COLUMNS} FROM message`, and its parts. */
export const withParts = (record: object, parts: PartRow[]): MessageRow => ({
  ...readMessage(record),
  parts,
});
