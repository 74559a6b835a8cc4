import type { Message } from "@/server/db/generated/client";
import type { MessageRow, PartRow } from "@/server/db/chats/rows";
import { columnNames, createInsert, createRowReader, toColumns } from "./table-columns";
import { type PartRecord, toPartRow } from "./part-columns";

/** Columns that statements go by, and no row has. */
type HiddenColumn = "visibility" | "branch" | "splitSeq";

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
  parameters: "jsonb",
  responseFormat: "json",
  formatCheck: "json",
  createdAt: "timestamptz",
} as const satisfies Record<Exclude<keyof Message, HiddenColumn>, string>);

export const MESSAGE_COLUMNS = columnNames(MESSAGE);

/** SQL that inserts a message. */
export const insertMessageSql = createInsert("message", MESSAGE);

/** SQL that copies the messages `o` of a source; the columns that are given differ. */
export const copyMessagesSql = (
  given: Partial<Record<(typeof MESSAGE)[number]["key"], string>>,
  source: string,
): string => `INSERT INTO message (visibility, ${MESSAGE_COLUMNS})
  SELECT o.visibility, ${MESSAGE.map(({ key, name }) => given[key] ?? `o.${name}`).join(", ")} ${source}`;

const readMessage = createRowReader<Omit<MessageRow, "parts">>(MESSAGE);

/** A message as `messagesAsJson` makes it, with its parts. */
export type MessageRecord = { parts: PartRecord[] | null };

/** SQL of the id of the last assistant message of a chat. */
export const lastAssistant = (chatId: string): string => `(SELECT id FROM message
  WHERE chat_id = ${chatId}::uuid AND role = 'assistant' AND NOT deleted ORDER BY seq DESC LIMIT 1)`;

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

/** SQL of the size of a message: what its parts take in an answer, in bytes. */
const messageBytes = (
  messageId: string,
): string => `(SELECT coalesce(sum(coalesce(octet_length(text), 0) + coalesce(octet_length(for_user), 0)
    + coalesce(octet_length(args::text), 0) + coalesce(octet_length(output::text), 0)
    + coalesce(octet_length(provider_metadata::text), 0)), 0)
  FROM part WHERE part.message_id = ${messageId})`;

/** SQL of the tables from which `pageAsJson` takes the first messages of the table `message_of_page`. */
export const pageTables = (direction: "ASC" | "DESC"): string => `candidate AS (
    SELECT id, seq, ${messageBytes("message_of_page.id")} AS bytes FROM message_of_page
  ), ranked AS (
    SELECT id, row_number() OVER page AS place, sum(bytes) OVER page AS bytes
    FROM candidate WINDOW page AS (ORDER BY seq ${direction})
  )`;

/** SQL of the columns of a page of messages, which ends at the limit of rows or of bytes, but has at least one message. */
export const pageAsJson = (
  maxRows: string,
  maxBytes: number,
): string => `(SELECT count(*)::int FROM candidate) AS found,
  ${messagesAsJson(`WHERE message.id IN (SELECT ranked.id FROM ranked WHERE place <= ${maxRows}
    AND (place = 1 OR ranked.bytes <= ${maxBytes}))`)} AS messages`;

/** A record of `pageAsJson`. */
export type MessagePageRecord = {
  /** How many messages there are in the direction of the page, at most one more than its rows. */
  found: number;
  messages: MessageRecord[] | null;
};

export const toMessagePage = ({ found, messages: records }: MessagePageRecord) => {
  const messages = (records ?? []).map(toMessageRow);
  return { messages, hasMore: found > messages.length };
};

export const toMessageRow = (record: MessageRecord): MessageRow => ({
  ...readMessage(record),
  parts: (record.parts ?? []).map(toPartRow),
});

/** A message of a record of `SELECT ${MESSAGE_COLUMNS} FROM message`, and its parts. */
export const withParts = (record: object, parts: PartRow[]): MessageRow => ({
  ...readMessage(record),
  parts,
});
