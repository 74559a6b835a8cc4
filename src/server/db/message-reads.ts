import type { FinishReason, Role } from "@/contract/message";
import type { MessageUsage } from "@/contract/usage";
import { isUuid } from "@/lib/is-uuid";
import { OWNED_CHAT } from "./chat-writes";
import type { Queryable, Statement } from "./database";
import { fromMessageJson, type MessageJson, messagesAsJson, QUEUE_AS_JSON } from "./message-json";
import {
  type PartRecord,
  type QueuedMessageRecord,
  toPartRow,
  toQueuedMessageRow,
} from "./row-mapping";
import type { MessageRow, QueuedMessageRow } from "./rows";

const pageStatement = (name: string, direction: "ASC" | "DESC"): Statement => ({
  name,
  text: `SELECT ${QUEUE_AS_JSON} AS queue, ${messagesAsJson(`WHERE message.chat_id = chat.id
      AND NOT deleted AND visibility <> 'model' AND seq > $3::bigint AND seq < $4::bigint
      ORDER BY seq ${direction} LIMIT $5`)} AS messages
    FROM chat WHERE ${OWNED_CHAT}`,
});
const NEWEST = pageStatement("list-newest-messages", "DESC");
const NEXT = pageStatement("list-next-messages", "ASC");

type PageRecord = { messages: MessageJson[] | null; queue: QueuedMessageRecord[] | null };

export type MessagePage = {
  /** Ascending by `seq`. */
  messages: MessageRow[];
  /** There are more in the direction of the page. */
  hasMore: boolean;
  /** The next is first. */
  queued: QueuedMessageRow[];
};

/**
 * A page of what the owner may see of a chat: the newest messages, those before a `seq`, or the
 * next ones after a `seq`.
 *
 * @returns undefined for a chat that is unknown or somebody else's.
 */
export const listMessages = async (
  db: Queryable,
  page: {
    chatId: string;
    ownerId: string;
    before?: number | undefined;
    after?: number | undefined;
    limit: number;
  },
): Promise<MessagePage | undefined> => {
  const { chatId, ownerId, before = Number.MAX_SAFE_INTEGER, after, limit } = page;
  if (!isUuid(chatId)) return undefined;
  const forward = after !== undefined;
  const [record] = await db.query<PageRecord>(forward ? NEXT : NEWEST, [
    chatId,
    ownerId,
    after ?? 0,
    before,
    limit + 1,
  ]);
  if (!record) return undefined;
  const found = (record.messages ?? []).map(fromMessageJson);
  return {
    messages: forward ? found.slice(0, limit) : found.slice(-limit),
    hasMore: found.length > limit,
    queued: (record.queue ?? []).map(toQueuedMessageRow),
  };
};

const QUEUED: Statement = {
  name: "list-queued-messages",
  text: `SELECT * FROM queued_message WHERE chat_id = $1::uuid ORDER BY position`,
};

/** A chat's queue; the next message is first. */
export const listQueued = async (db: Queryable, chatId: string): Promise<QueuedMessageRow[]> =>
  (await db.query<QueuedMessageRecord>(QUEUED, [chatId])).map(toQueuedMessageRow);

/**
 * One row for each part. Nearly all parts are plain text; only of the others the many further
 * columns are read, as one.
 */
const historyStatement = (name: string, condition: string): Statement => ({
  name,
  rowMode: "array",
  text: `SELECT m.id, m.seq, m.revision, m.role, m.model, m.usage, m.finish_reason, m.interrupted,
      m.created_by, m.response_id, m.deleted, m.created_at, p.type, p.text,
      CASE WHEN p.type <> 'text' OR p.provider_metadata IS NOT NULL THEN row_to_json(p) END
    FROM message m LEFT JOIN part p ON p.message_id = m.id AND NOT m.deleted
    WHERE m.chat_id = $1::uuid AND m.visibility <> 'user' AND ${condition}
    ORDER BY m.seq, p.index`,
});
const HISTORY = historyStatement("read-history", "NOT m.deleted");
const HISTORY_SINCE = historyStatement("read-history-since", "m.revision > $2");

type HistoryTuple = [
  id: string,
  seq: number,
  revision: number,
  role: Role,
  model: string | null,
  usage: MessageUsage | null,
  finishReason: FinishReason | null,
  interrupted: boolean,
  createdBy: string | null,
  responseId: string | null,
  deleted: boolean,
  createdAt: Date,
  type: PartRecord["type"] | null,
  text: string,
  part: PartRecord | null,
];

/** What the model may see of a chat, by `seq`. */
export const readHistory = async (db: Queryable, chatId: string): Promise<MessageRow[]> =>
  toMessages(chatId, await db.query<HistoryTuple>(HISTORY, [chatId]));

/** The same, of what changed after a chat version; deleted messages are told, without parts. */
export const readHistorySince = async (
  db: Queryable,
  chatId: string,
  afterRevision: number,
): Promise<MessageRow[]> =>
  toMessages(chatId, await db.query<HistoryTuple>(HISTORY_SINCE, [chatId, afterRevision]));

const toMessages = (chatId: string, tuples: HistoryTuple[]): MessageRow[] => {
  const messages: MessageRow[] = [];
  let message: MessageRow | undefined;
  for (const tuple of tuples) {
    if (message?.id !== tuple[0]) {
      message = toMessage(chatId, tuple);
      messages.push(message);
    }
    const [type, text, part] = [tuple[12], tuple[13], tuple[14]];
    if (part) message.parts.push(toPartRow(part));
    else if (type) message.parts.push({ type: "text", text });
  }
  return messages;
};

// Read by place: taking a tuple of this length apart costs as much as the rest together.
const toMessage = (chatId: string, tuple: HistoryTuple): MessageRow => ({
  id: tuple[0],
  chatId,
  seq: tuple[1],
  revision: tuple[2],
  role: tuple[3],
  parts: [],
  model: tuple[4],
  usage: tuple[5],
  finishReason: tuple[6],
  interrupted: tuple[7],
  createdBy: tuple[8],
  responseId: tuple[9],
  deleted: tuple[10],
  createdAt: tuple[11],
});
