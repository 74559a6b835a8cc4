import type { Role } from "@/contract/message";
import { isUuid } from "@/lib/is-uuid";
import type { Queryable, Statement } from "@/server/db/database";
import type { KnownHistory } from "@/server/db/recent-histories";
import type { HistoryMessage, MessageRow, QueuedMessageRow } from "@/server/db/rows";
import { type MessageRecord, messagesAsJson, toMessageRow } from "./message-columns";
import { type PartRecord, toPartRow } from "./part-columns";
import { QUEUE_AS_JSON, type QueuedMessageRecord, toQueuedMessageRow } from "./queue-columns";
import { readableSql, toViewerValue, type Viewer } from "@/server/db/viewer";

/**
 * Raw: page, parts and queue are of one moment and come in one statement. The same by Prisma takes three times
 * as long.
 */
const pageStatement = (name: string, direction: "ASC" | "DESC"): Statement => ({
  name,
  text: `SELECT ${QUEUE_AS_JSON} AS queue, ${messagesAsJson(`WHERE message.chat_id = chat.id
      AND NOT deleted AND visibility <> 'model' AND seq > $3::bigint AND seq < $4::bigint
      ORDER BY seq ${direction} LIMIT $5`)} AS messages
    FROM chat WHERE id = $1::uuid AND ${readableSql("$2")}`,
});
const NEWEST = pageStatement("list-newest-messages", "DESC");
const NEXT = pageStatement("list-next-messages", "ASC");

type PageRecord = { messages: MessageRecord[] | null; queue: QueuedMessageRecord[] | null };

export type MessagePage = {
  /** Ascending by `seq`. */
  messages: MessageRow[];
  /** There are more in the direction of the page. */
  hasMore: boolean;
  /** The next is first. */
  queued: QueuedMessageRow[];
};

/**
 * A page of what people may see of a chat: the newest messages, those before a `seq`, or the
 * next ones after a `seq`.
 *
 * @returns undefined for a chat that is unknown or that the viewer may not read.
 */
export const listMessages = async (
  db: Queryable,
  page: {
    chatId: string;
    viewer: Viewer;
    before?: number | undefined;
    after?: number | undefined;
    limit: number;
  },
): Promise<MessagePage | undefined> => {
  const { chatId, viewer, before = Number.MAX_SAFE_INTEGER, after, limit } = page;
  if (!isUuid(chatId)) return undefined;
  const forward = after !== undefined;
  const [record] = await db.query<PageRecord>(forward ? NEXT : NEWEST, [
    chatId,
    toViewerValue(viewer),
    after ?? 0,
    before,
    limit + 1,
  ]);
  if (!record) return undefined;
  const found = (record.messages ?? []).map(toMessageRow);
  return {
    messages: forward ? found.slice(0, limit) : found.slice(-limit),
    hasMore: found.length > limit,
    queued: (record.queue ?? []).map(toQueuedMessageRow),
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
  text: `SELECT m.id, m.role, m.turn_id, m.model, m.created_by, p.text, p.whole
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
  role: tuple[1],
  turnId: tuple[2],
  parts: [],
  model: tuple[3],
  createdBy: tuple[4],
});

/** Raw, as it has the form of the history above. */
const HISTORY_CHANGES: Statement = {
  name: "history-changes",
  text: `SELECT ${messagesAsJson(`WHERE message.chat_id = $1::uuid AND revision > $2::bigint
    AND visibility <> 'user'`)} AS messages`,
};

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
  // A map keeps the order of its first insertions, and new messages have the highest seq.
  const byId = new Map(history.map((message) => [message.id, message]));
  for (const message of (record?.messages ?? []).map(toMessageRow)) {
    if (message.deleted) byId.delete(message.id);
    else byId.set(message.id, message);
  }
  return [...byId.values()];
};

/** @returns where a live message of the chat stands, or undefined. */
export const findMessage = async (
  { prisma }: Queryable,
  chatId: string,
  messageId: string,
): Promise<{ seq: number; role: MessageRow["role"] } | undefined> => {
  const message = await prisma.message.findFirst({
    where: { id: messageId, chatId, deleted: false },
    select: { seq: true, role: true },
  });
  return message ?? undefined;
};
