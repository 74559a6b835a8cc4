import { isUuid } from "@/lib/is-uuid";
import type { Queryable, Statement } from "@/server/db/database";
import type { ChatRow, MessageRow, OpenCallRow, QueuedMessageRow, TaskRow } from "@/server/db/rows";
import { toChatRow } from "./chat-columns";
import type { ChatAnswer } from "./chat-row";
import { type MessageRecord, messagesAsJson, toMessageRow } from "./message-columns";
import { type PartRecord, toPartRow } from "./part-columns";
import { QUEUE_AS_JSON, type QueuedMessageRecord, toQueuedMessageRow } from "./queue-columns";
import { changedTasksAsJson, type TaskRecord, toTaskRow } from "./task-columns";
import { readableSql, toViewerValue, type Viewer } from "@/server/db/viewer";

/** What has changed in a chat, as of one moment. */
export type ChatChanges = {
  chat: ChatRow;
  /** Messages with a higher revision, by `seq`; including deleted ones, unless `after` is 0. */
  messages: MessageRow[];
  /** The next is first. */
  queue: QueuedMessageRow[];
  /** What a chat in `requires_action` waits for, in call order. */
  openCalls: OpenCallRow[];
  /** Tasks with a higher revision, the oldest first; of very many the newest. */
  tasks: TaskRow[];
};

/** SQL of the JSON array of the calls that the row of `chat` waits for; NULL when it is not parked. */
export const OPEN_CALLS_AS_JSON = `CASE WHEN status = 'requires_action' THEN (
  SELECT json_agg(part ORDER BY part.index) FROM part
  WHERE part.state IN ('running', 'awaiting_result', 'awaiting_approval')
    AND part.kind <> 'provider' AND part.message_id = (
      SELECT message.id FROM message
      WHERE message.chat_id = chat.id AND role = 'assistant' AND NOT deleted
      ORDER BY seq DESC LIMIT 1)
  ) END`;

/**
 * Raw: chat, messages, parts, queue and open calls are of one moment, so they come in one statement. Every event
 * of a stream reads it. The same by Prisma takes ten times as long and is not of one moment.
 */
const CHANGES: Statement = {
  name: "chat-changes",
  text: `SELECT row_to_json(chat) AS chat, ${QUEUE_AS_JSON} AS queue, ${OPEN_CALLS_AS_JSON} AS open_calls,
    ${changedTasksAsJson("$3::bigint")} AS tasks,
    ${messagesAsJson(`WHERE message.chat_id = chat.id AND revision > $3::bigint
      AND visibility <> 'model' AND ($3::bigint > 0 OR NOT deleted)`)} AS messages
    FROM chat WHERE id = $1::uuid AND ${readableSql("$2")}`,
};

/** A record of `OPEN_CALLS_AS_JSON`. */
export type OpenCallRecord = PartRecord & { message_id: string };

type ChangesRecord = ChatAnswer & {
  messages: MessageRecord[] | null;
  queue: QueuedMessageRecord[] | null;
  open_calls: OpenCallRecord[] | null;
  tasks: TaskRecord[] | null;
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
      openCalls: toOpenCalls(record.open_calls),
      tasks: (record.tasks ?? []).map(toTaskRow),
    }
  );
};

export const toOpenCalls = (records: OpenCallRecord[] | null): OpenCallRow[] =>
  (records ?? []).flatMap(({ message_id: messageId, ...part }) => {
    const call = toPartRow(part);
    return call.type === "tool_call" ? { ...call, messageId } : [];
  });

/** A chat with the calls that it waits for, of one moment. */
export type ChatWithCalls = Pick<ChatChanges, "chat" | "openCalls">;

/** Above every version, so that no message counts as changed. */
const NEWEST = 2 ** 31 - 1;

/** A chat as of now, without its messages. */
export const readChatWithCalls = (
  db: Queryable,
  { chatId, viewer }: { chatId: string; viewer: Viewer },
): Promise<ChatWithCalls | undefined> => readChatChanges(db, { chatId, viewer, after: NEWEST });
