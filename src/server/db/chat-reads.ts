import type { ChatStatus } from "@/contract/chat";
import { isUuid } from "@/lib/is-uuid";
import type { Queryable, Statement } from "./database";
import { decodeCursor, encodeCursor } from "./list-cursor";
import type {
  ChatRow,
  ChatSummaryRow,
  MessageRow,
  QueuedMessageRow,
  ToolCallPartRow,
} from "./rows";
import {
  CHAT_SUMMARY_COLUMNS,
  type ChatRecord,
  toChatRow,
  toChatSummaryRow,
} from "./sql/chat-columns";
import type { ChatAnswer } from "./sql/chat-row";
import { type MessageRecord, messagesAsJson, toMessageRow } from "./sql/message-columns";
import { type PartRecord, toPartRow } from "./sql/part-columns";
import { QUEUE_AS_JSON, type QueuedMessageRecord, toQueuedMessageRow } from "./sql/queue-columns";
import { allReadableSql, readableSql, toViewerValue, type Viewer } from "./viewer";

export type ChatFilter = {
  viewer: Viewer;
  archived: boolean;
  /** Text of a title or of what was said. */
  q?: string | undefined;
  /** A label's key, or `key:value`. */
  label?: string | undefined;
  status?: ChatStatus | undefined;
  cursor?: string | undefined;
  limit: number;
};

// The long columns stay in the database: a list never shows them.
const LIST: Statement = {
  name: "list-chats",
  isLong: true,
  text: `SELECT ${CHAT_SUMMARY_COLUMNS} FROM chat
    WHERE ${allReadableSql("$1")} AND (archived_at IS NOT NULL) = $2
      AND (updated_at, id) < ($3::timestamptz, $4::uuid)
      AND ($5::chat_status IS NULL OR status = $5)
      AND ($6::text IS NULL OR labels ? $6 OR labels ->> $7 = $8)
      AND ($9::text IS NULL OR title ILIKE $9 OR EXISTS (
        SELECT FROM message JOIN part ON part.message_id = message.id
        WHERE message.chat_id = chat.id AND role IN ('user', 'assistant') AND visibility <> 'model'
          AND NOT deleted AND type = 'text' AND text ILIKE $9))
    ORDER BY updated_at DESC, id DESC LIMIT $10`,
};

/**
 * One page of the chats that the viewer may read, the last changed first.
 *
 * @returns the cursor of the next page, or null after the last one.
 * @throws {DomainError} `invalid` for a cursor that is none.
 */
export const listChats = async (
  db: Queryable,
  filter: ChatFilter,
): Promise<{ chats: ChatSummaryRow[]; nextCursor: string | null }> => {
  const { viewer, archived, status, q, label, limit } = filter;
  const after = decodeCursor(filter.cursor);
  const colon = label?.indexOf(":") ?? -1;
  const records = await db.query<ChatRecord>(LIST, [
    toViewerValue(viewer),
    archived,
    after.time,
    after.id,
    status ?? null,
    label ?? null,
    colon < 0 ? null : label?.slice(0, colon),
    colon < 0 ? null : label?.slice(colon + 1),
    q === undefined ? null : `%${q.replace(/[\\%_]/g, "\\$&")}%`,
    limit + 1,
  ]);
  const chats = records.slice(0, limit).map(toChatSummaryRow);
  const last = records.length > limit ? chats.at(-1) : undefined;
  return {
    chats,
    nextCursor: last ? encodeCursor({ time: last.updatedAt, id: last.id }) : null,
  };
};

/** What has changed in a chat, as of one moment. */
export type ChatChanges = {
  chat: ChatRow;
  /** Those of a higher revision, by `seq`; deleted ones too, when something was known before. */
  messages: MessageRow[];
  /** The next is first. */
  queue: QueuedMessageRow[];
  /** What a chat in `requires_action` waits for, in call order. */
  openCalls: ToolCallPartRow[];
};

const OPEN_CALLS_AS_JSON = `CASE WHEN status = 'requires_action' THEN (
  SELECT json_agg(part ORDER BY part.index) FROM part
  WHERE part.state IN ('running', 'awaiting_result', 'awaiting_approval')
    AND part.kind <> 'provider' AND part.message_id = (
      SELECT message.id FROM message
      WHERE message.chat_id = chat.id AND role = 'assistant' AND NOT deleted
      ORDER BY seq DESC LIMIT 1)
  ) END`;

const CHANGES: Statement = {
  name: "chat-changes",
  text: `SELECT row_to_json(chat) AS chat, ${QUEUE_AS_JSON} AS queue, ${OPEN_CALLS_AS_JSON} AS open_calls,
    ${messagesAsJson(`WHERE message.chat_id = chat.id AND revision > $3::bigint
      AND visibility <> 'model' AND ($3::bigint > 0 OR NOT deleted)`)} AS messages
    FROM chat WHERE id = $1::uuid AND ${readableSql("$2")}`,
};

type ChangesRecord = ChatAnswer & {
  messages: MessageRecord[] | null;
  queue: QueuedMessageRecord[] | null;
  open_calls: PartRecord[] | null;
};

/**
 * A chat with all that people may see of it and that changed after a version, in one statement.
 *
 * @param after the chat version that is known; 0 is nothing yet.
 */
export const readChatChanges = async (
  db: Queryable,
  { chatId, viewer, after }: { chatId: string; viewer: Viewer; after: number },
): Promise<ChatChanges | undefined> => {
  if (!isUuid(chatId)) return undefined;
  const [record] = await db.query<ChangesRecord>(CHANGES, [chatId, toViewerValue(viewer), after]);
  return (
    record && {
      chat: toChatRow(record.chat),
      messages: (record.messages ?? []).map(toMessageRow),
      queue: (record.queue ?? []).map(toQueuedMessageRow),
      openCalls: (record.open_calls ?? [])
        .map(toPartRow)
        .filter((part) => part.type === "tool_call"),
    }
  );
};

/** A chat with the calls that it waits for, of one moment. */
export type ChatWithCalls = Pick<ChatChanges, "chat" | "openCalls">;

/** Above every version, so that no message counts as changed. */
const NEWEST = 2 ** 31 - 1;

/** A chat as of now, without its messages. */
export const readChatWithCalls = (
  db: Queryable,
  { chatId, viewer }: { chatId: string; viewer: Viewer },
): Promise<ChatWithCalls | undefined> => readChatChanges(db, { chatId, viewer, after: NEWEST });
