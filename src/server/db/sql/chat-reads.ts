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
  /** Its agents that wait for a client, the oldest first. */
  childActions: ChatWithCalls[];
  /** Tasks with a higher revision, the oldest first; of very many the newest. */
  tasks: TaskRow[];
};

/** SQL of the JSON array of the calls that the row `chat` waits for; NULL when it is not parked. */
const openCallsAsJson = (
  chat: string,
): string => `CASE WHEN ${chat}.status = 'requires_action' THEN (
  SELECT json_agg(part ORDER BY part.index) FROM part
  WHERE part.state IN ('running', 'awaiting_result', 'awaiting_approval')
    AND part.kind <> 'provider' AND part.message_id = (
      SELECT message.id FROM message
      WHERE message.chat_id = ${chat}.id AND role = 'assistant' AND NOT deleted
      ORDER BY seq DESC LIMIT 1)
  ) END`;

/**
 * SQL of what the row of `chat` and its children wait for. A chat without tasks has no children, so that nothing is
 * looked for.
 *
 * @param viewer the placeholder of the viewer.
 */
export const actionsAsJson = (viewer: string): string => `${openCallsAsJson("chat")} AS open_calls,
  CASE WHEN task_version > 0 THEN (
    SELECT json_agg(json_build_object('chat', child, 'open_calls', ${openCallsAsJson("child")})
      ORDER BY child.created_at, child.id)
    FROM chat AS child
    WHERE parent_chat_id = chat.id AND child.status = 'requires_action' AND ${readableSql(viewer)}
  ) END AS child_actions`;

/**
 * Raw: chat, messages, parts, queue and open calls are of one moment, so they come in one statement. Every event
 * of a stream reads it. The same by Prisma takes ten times as long and is not of one moment.
 */
const CHANGES: Statement = {
  name: "chat-changes",
  text: `SELECT row_to_json(chat) AS chat, ${QUEUE_AS_JSON} AS queue, ${actionsAsJson("$2")},
    ${changedTasksAsJson("$3::bigint")} AS tasks,
    ${messagesAsJson(`WHERE message.chat_id = chat.id AND revision > $3::bigint
      AND visibility <> 'model' AND ($3::bigint > 0 OR NOT deleted)`)} AS messages
    FROM chat WHERE id = $1::uuid AND ${readableSql("$2")}`,
};

type OpenCallRecord = PartRecord & { message_id: string };

/** A record of `actionsAsJson`. */
export type ActionsRecord = {
  open_calls: OpenCallRecord[] | null;
  child_actions: (ChatAnswer & { open_calls: OpenCallRecord[] | null })[] | null;
};

type ChangesRecord = ChatAnswer &
  ActionsRecord & {
    messages: MessageRecord[] | null;
    queue: QueuedMessageRecord[] | null;
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
      ...toActions(record),
      tasks: (record.tasks ?? []).map(toTaskRow),
    }
  );
};

export const toActions = ({ open_calls: openCalls, child_actions: children }: ActionsRecord) => ({
  openCalls: toOpenCalls(openCalls),
  childActions: (children ?? []).map((child) => ({
    chat: toChatRow(child.chat),
    openCalls: toOpenCalls(child.open_calls),
  })),
});

const toOpenCalls = (records: OpenCallRecord[] | null): OpenCallRow[] =>
  (records ?? []).flatMap(({ message_id: messageId, ...part }) => {
    const call = toPartRow(part);
    return call.type === "tool_call" ? { ...call, messageId } : [];
  });

/** A chat with the calls that it waits for, of one moment. */
export type ChatWithCalls = Pick<ChatChanges, "chat" | "openCalls">;

/** A chat with the calls that it and its children wait for, of one moment. */
export type ChatWithActions = ChatWithCalls & Pick<ChatChanges, "childActions">;

/** Above every version, so that no message counts as changed. */
const NEWEST = 2 ** 31 - 1;

/** A chat as of now, without its messages. */
export const readChatWithCalls = (
  db: Queryable,
  { chatId, viewer }: { chatId: string; viewer: Viewer },
): Promise<ChatWithActions | undefined> => readChatChanges(db, { chatId, viewer, after: NEWEST });
