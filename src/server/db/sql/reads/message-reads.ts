import type { ChatLink } from "@/contract/chat";
import { MAX_MESSAGE_PAGE_BYTES } from "@/contract/limits";
import type { Role } from "@/contract/message";
import type { FieldError } from "@/contract/problem";
import type { MessageUsage } from "@/contract/usage";
import { isUuid } from "@/lib/is-uuid";
import type { Queryable, Statement } from "@/server/db/connection/database";
import type { HistoryMessage, MessageRow, QueuedMessageRow } from "@/server/db/chats/rows";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import { ALTERNATIVES, type AlternativesRecord, withAlternatives } from "./alternative-reads";
import { actionsAsJson, type ActionsRecord, type ChatWithActions, toActions } from "./chat-reads";
import type { ChatAnswer } from "@/server/db/sql/rows/chat-row";
import {
  type MessagePageRecord,
  type MessageRecord,
  messagesAsJson,
  pageAsJson,
  pageTables,
  toMessagePage,
  toMessageRow,
} from "@/server/db/sql/rows/message-columns";
import { type PartRecord, toPartRow } from "@/server/db/sql/rows/part-columns";
import {
  QUEUE_AS_JSON,
  type QueuedMessageRecord,
  toQueuedMessageRow,
} from "@/server/db/sql/rows/queue-columns";
import { readableSql, toViewerValue, type Viewer } from "@/server/db/chats/viewer";

/**
 * Raw: page, parts, queue and version are of one moment and come in one statement. The same by Prisma takes three
 * times as long.
 */
const pageStatement = (name: string, direction: "ASC" | "DESC", columns = ""): Statement => ({
  name,
  text: `WITH message_of_page AS (
      SELECT id, seq FROM message
      WHERE chat_id = $1::uuid AND NOT deleted AND visibility <> 'model'
        AND seq > $3::bigint AND seq < $4::bigint
      ORDER BY seq ${direction} LIMIT $5::int + 1
    ), ${pageTables(direction)}
    SELECT version, ${columns} ${QUEUE_AS_JSON} AS queue, ${ALTERNATIVES}, ${pageAsJson("$5::int", MAX_MESSAGE_PAGE_BYTES)}
    FROM chat WHERE id = $1::uuid AND ${readableSql("$2", "chat")}`,
});
const NEWEST = pageStatement("list-newest-messages", "DESC");
const NEXT = pageStatement("list-next-messages", "ASC");

/** Most forks that a page lists. */
const MAX_FORKS = 50;

/** SQL of the chat that the row `chat` is a fork of, and of its newest forks. */
const FORKS = `CASE WHEN forked_from_id IS NOT NULL THEN (
    SELECT json_build_object('id', origin.id, 'title', origin.title) FROM chat AS origin
    WHERE origin.id = chat.forked_from_id AND ${readableSql("$2", "origin")}) END AS origin,
  (SELECT json_agg(json_build_object('id', fork.id, 'title', fork.title) ORDER BY created_at DESC, id DESC) FROM (
    SELECT id, title, created_at FROM chat AS child WHERE child.forked_from_id = chat.id AND ${readableSql("$2", "child")}
    ORDER BY created_at DESC, id DESC LIMIT ${MAX_FORKS}) AS fork) AS forks`;

const OPEN = pageStatement(
  "open-chat",
  "DESC",
  `row_to_json(chat) AS chat, ${actionsAsJson("$2")}, ${FORKS},`,
);

type PageRecord = MessagePageRecord &
  AlternativesRecord & {
    version: number;
    queue: QueuedMessageRecord[] | null;
  };

export type MessagePage = {
  /** Ascending by `seq`. */
  messages: MessageRow[];
  /** There are more in the direction of the page. */
  hasMore: boolean;
  /** The next is first. */
  queued: QueuedMessageRow[];
  /** The chat's version at the moment of the page, after which a stream continues. */
  version: number;
};

type ChatOfViewer = { chatId: string; viewer: Viewer };

/**
 * A page of what people may see of a chat: the newest messages, those before a `seq`, or the
 * next ones after a `seq`. It ends at the limit of rows or of bytes, but has at least one message.
 *
 * @returns undefined for a chat that is unknown or that the viewer may not read.
 */
export const listMessages = async (
  db: Queryable,
  page: ChatOfViewer & {
    before?: number | undefined;
    after?: number | undefined;
    limit: number;
  },
): Promise<MessagePage | undefined> => {
  const statement = page.after === undefined ? NEWEST : NEXT;
  const record = await readPage<PageRecord>(db, statement, page);
  return record && toPage(record);
};

/** A chat with its newest messages, of one moment. */
export type OpenedChat = ChatWithActions &
  MessagePage & { origin: ChatLink | null; forks: ChatLink[] };

/**
 * A chat with the newest page of its messages.
 *
 * @returns undefined for a chat that is unknown or that the viewer may not read.
 */
export const openChat = async (
  db: Queryable,
  page: ChatOfViewer & { limit: number },
): Promise<OpenedChat | undefined> => {
  type ForksRecord = { origin: ChatLink | null; forks: ChatLink[] | null };
  type OpenRecord = PageRecord & ChatAnswer & ActionsRecord & ForksRecord;
  const record = await readPage<OpenRecord>(db, OPEN, page);
  return (
    record && {
      ...toPage(record),
      chat: toChatRow(record.chat),
      ...toActions(record),
      origin: record.origin,
      forks: record.forks ?? [],
    }
  );
};

const readPage = async <Record>(
  db: Queryable,
  statement: Statement,
  page: Parameters<typeof listMessages>[1],
): Promise<Record | undefined> => {
  const { chatId, viewer, before = Number.MAX_SAFE_INTEGER, after = 0, limit } = page;
  if (!isUuid(chatId)) return undefined;
  const values = [chatId, toViewerValue(viewer), after, before, limit];
  const [record] = await db.query<Record>(statement, values);
  return record;
};

const toPage = (record: PageRecord): MessagePage => {
  const { messages, hasMore } = toMessagePage(record);
  return {
    messages: withAlternatives(messages, record),
    hasMore,
    queued: (record.queue ?? []).map(toQueuedMessageRow),
    version: record.version,
  };
};

/**
 * Raw: the first turn of a long chat in a process reads it whole. Through Prisma 2,000 messages take five times as long.
 *
 * One row for each part, with no more of its message than the model's prompt and the loop need. Nearly
 * all parts are plain text; only of the others the many further columns are read, as one. `OFFSET 0`
 * looks parts up message by message: joined freely, the parts of all chats may be read.
 */
const HISTORY: Statement = {
  name: "read-history",
  rowMode: "array",
  text: `SELECT m.id, m.role, m.turn_id, m.model, m.created_by, p.text, p.whole, m.parameters,
      m.response_format, m.format_check->'errors' AS format_errors, m.seq, m.usage
    FROM message m LEFT JOIN LATERAL (
      SELECT index, text,
        CASE WHEN type <> 'text' OR provider_metadata IS NOT NULL THEN row_to_json(part) END AS whole
      FROM part WHERE part.message_id = m.id OFFSET 0) p ON true
    WHERE m.chat_id = $1::uuid AND m.visibility <> 'user' AND NOT m.deleted
    ORDER BY m.seq, p.index`,
};

type HistoryTuple = [
  id: string,
  role: Role,
  turnId: string,
  model: string | null,
  createdBy: string | null,
  text: string | null,
  whole: PartRecord | null,
  parameters: MessageRow["parameters"],
  responseFormat: MessageRow["responseFormat"],
  formatErrors: FieldError[] | null,
  seq: number,
  usage: MessageUsage | null,
];

/** What the model may see of a chat, by `seq`. */
export const readHistory = async (db: Queryable, chatId: string): Promise<HistoryMessage[]> => {
  const messages: HistoryMessage[] = [];
  let message: HistoryMessage | undefined;
  for (const tuple of await db.query<HistoryTuple>(HISTORY, [chatId])) {
    if (message?.id !== tuple[0]) {
      message = toHistoryMessage(tuple);
      messages.push(message);
    }
    const [text, whole] = [tuple[5], tuple[6]];
    if (whole) message.parts.push(toPartRow(whole));
    else if (text !== null) message.parts.push({ type: "text", text });
  }
  return messages;
};

// Read by index, because destructuring the tuple doubles the cost.
const toHistoryMessage = (tuple: HistoryTuple): HistoryMessage => ({
  id: tuple[0],
  seq: tuple[10],
  role: tuple[1],
  turnId: tuple[2],
  parts: [],
  model: tuple[3],
  usage: tuple[11],
  createdBy: tuple[4],
  parameters: tuple[7],
  responseFormat: tuple[8],
  formatCheck: tuple[9] && { errors: tuple[9] },
});

/** Raw, as it has the form of the history above. */
const HISTORY_CHANGES: Statement = {
  name: "history-changes",
  text: `SELECT ${messagesAsJson(`WHERE message.chat_id = $1::uuid AND revision > $2::bigint
    AND visibility <> 'user'`)} AS messages`,
};

/** A chat's history as it was at a version of the chat. */
export type KnownHistory = { version: number; history: readonly HistoryMessage[] };

/** Returns the same as `readHistory`, but reads only the changes. */
export const readChangedHistory = async (
  db: Queryable,
  chatId: string,
  { version, history }: KnownHistory,
): Promise<HistoryMessage[]> => {
  const [record] = await db.query<{ messages: MessageRecord[] | null }>(HISTORY_CHANGES, [
    chatId,
    version,
  ]);
  // A map keeps the order of its first insertions. New messages have the highest seq, and those of a branch that was chosen
  // follow all that the path has kept.
  const byId = new Map(history.map((message) => [message.id, message]));
  for (const message of (record?.messages ?? []).map(toMessageRow)) {
    if (message.deleted) byId.delete(message.id);
    else byId.set(message.id, message);
  }
  return [...byId.values()];
};

type FoundTarget = Pick<MessageRow, "seq" | "role" | "parameters" | "responseFormat">;

/** @returns place and role of a message of the chat, and what it sets for its turn; undefined for a deleted or unknown one. */
export const findMessage = async (
  { prisma }: Queryable,
  chatId: string,
  messageId: string,
): Promise<FoundTarget | undefined> => {
  const message = await prisma.message.findFirst({
    where: { id: messageId, chatId, deleted: false },
    select: { seq: true, role: true, parameters: true, responseFormat: true },
  });
  return (message as FoundTarget | null) ?? undefined;
};
