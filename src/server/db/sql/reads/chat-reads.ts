import type { Labels } from "@/contract/labels";
import { isUuid } from "@/lib/is-uuid";
import type { Queryable, Statement } from "@/server/db/connection/database";
import type {
  ChatRow,
  MessageRow,
  OpenCallRow,
  QueuedMessageRow,
  TaskRow,
} from "@/server/db/chats/rows";
import { ALTERNATIVES, type AlternativesRecord, withAlternatives } from "./alternative-reads";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import type { ChatAnswer } from "@/server/db/sql/rows/chat-row";
import { CLAIM_OF_PART, type ClaimRecord, toClaimRow } from "@/server/db/sql/rows/claim-columns";
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
import { changedTasksAsJson, type TaskRecord, toTaskRow } from "@/server/db/sql/rows/task-columns";
import {
  readableSql,
  toViewerKey,
  toViewerValue,
  type Viewer,
  viewerOfKeySql,
} from "@/server/db/chats/viewer";

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

/** SQL of the labels of the root of the row `chat`. */
const rootLabels = (chat: string): string =>
  `(SELECT root.labels FROM chat AS root WHERE root.id = ${chat}.root_chat_id)`;

/** SQL of the parts of the calls that the row `chat` waits for, when it is parked. */
const openCallsOf = (chat: string): string => `FROM part
  WHERE part.state IN ('running', 'awaiting_result', 'awaiting_approval')
    AND part.kind <> 'provider' AND part.message_id = (
      SELECT message.id FROM message
      WHERE message.chat_id = ${chat}.id AND role = 'assistant' AND NOT deleted
      ORDER BY seq DESC LIMIT 1)`;

/** SQL of the JSON array of these calls; NULL when the chat is not parked. */
const openCallsAsJson = (
  chat: string,
  condition = "true",
): string => `CASE WHEN ${chat}.status = 'requires_action' THEN (
  SELECT json_agg(json_build_object('part', part, 'claim', ${CLAIM_OF_PART}, 'labels', ${rootLabels(chat)})
    ORDER BY part.index) ${openCallsOf(chat)} AND ${condition}) END`;

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
    WHERE parent_chat_id = chat.id AND child.status = 'requires_action' AND ${readableSql(viewer, "child")}
  ) END AS child_actions`;

/** SQL of the condition of messages that have changed after a version, and that people may see. */
const changedMessages = (after: string): string =>
  `revision > ${after} AND visibility <> 'model' AND (${after} > 0 OR NOT deleted)`;

/** SQL of the columns of `ChangesRecord`. @param after SQL of the version that is known. */
const changesAsJson = ({ viewer, after }: { viewer: string; after: string }): string =>
  `row_to_json(chat) AS chat, ${QUEUE_AS_JSON} AS queue, ${actionsAsJson(viewer)},
    ${changedTasksAsJson(after)} AS tasks, ${ALTERNATIVES},
    ${messagesAsJson(`WHERE message.chat_id = chat.id AND ${changedMessages(after)}`)} AS messages`;

/**
 * Raw: chat, messages, parts, queue and open calls are of one moment, so they come in one statement. Every event
 * of a stream reads it. The same by Prisma takes ten times as long and is not of one moment.
 */
const CHANGES: Statement = {
  name: "chat-changes",
  text: `SELECT ${changesAsJson({ viewer: "$2", after: "$3::bigint" })}
    FROM chat WHERE id = $1::uuid AND ${readableSql("$2", "chat")}`,
};

const CHANGES_OF_MANY: Statement = {
  name: "chat-changes-of-many",
  text: `SELECT given.place::int - 1 AS place, ${changesAsJson({ viewer: "v.viewer", after: "given.after" })}
    FROM unnest($1::uuid[], $2::text[], $3::bigint[]) WITH ORDINALITY AS given(chat_id, viewer_key, after, place),
      LATERAL (SELECT ${viewerOfKeySql("given.viewer_key")} AS viewer) AS v,
      LATERAL (SELECT * FROM chat WHERE chat.id = given.chat_id AND ${readableSql("v.viewer", "chat")}) AS chat`,
};

/** Most messages of one page of changes, and bytes, but at least one message. All others wait for it in an embedded database. */
const MAX_CHANGED_MESSAGES = 1_000;
const MAX_CHANGED_BYTES = 1024 * 1024;

/** Raw like the one above; its messages are a page. `MATERIALIZED` finds them by their revision. */
const CHANGES_PAGE: Statement = {
  name: "chat-changes-page",
  text: `WITH changed AS MATERIALIZED (
      SELECT id, seq FROM message WHERE chat_id = $1::uuid AND ${changedMessages("$3::bigint")}
    ), message_of_page AS (
      SELECT * FROM changed WHERE seq > $4::bigint ORDER BY seq LIMIT ${MAX_CHANGED_MESSAGES + 1}
    ), ${pageTables("ASC")}
    SELECT row_to_json(chat) AS chat, ${QUEUE_AS_JSON} AS queue, ${actionsAsJson("$2")},
      ${changedTasksAsJson("$5::bigint")} AS tasks, ${ALTERNATIVES}, ${pageAsJson(String(MAX_CHANGED_MESSAGES), MAX_CHANGED_BYTES)}
    FROM chat WHERE id = $1::uuid AND ${readableSql("$2", "chat")}`,
};

/** A call with its claim, and the labels of its root chat. */
export type OpenCallRecord = {
  part: PartRecord & { message_id: string };
  claim: ClaimRecord | null;
  labels: Labels;
};

/** A record of `actionsAsJson`. */
export type ActionsRecord = {
  open_calls: OpenCallRecord[] | null;
  child_actions: (ChatAnswer & { open_calls: OpenCallRecord[] | null })[] | null;
};

type ChangesRecord = ChatAnswer &
  ActionsRecord &
  AlternativesRecord & {
    messages: MessageRecord[] | null;
    queue: QueuedMessageRecord[] | null;
    tasks: TaskRecord[] | null;
  };

const toChanges = (record: ChangesRecord) => ({
  chat: toChatRow(record.chat),
  queue: (record.queue ?? []).map(toQueuedMessageRow),
  ...toActions(record),
  tasks: (record.tasks ?? []).map(toTaskRow),
});

/** What is read of a chat. */
export type ChangesRange = {
  chatId: string;
  viewer: Viewer;
  /** The chat version that is known; 0 is nothing yet. */
  after: number;
};

const toAllChanges = (record: ChangesRecord): ChatChanges => {
  const messages = withAlternatives((record.messages ?? []).map(toMessageRow), record);
  return { ...toChanges(record), messages };
};

/** A chat with all that people may see of it and that changed after a version, in one statement. */
export const readChatChanges = async (
  db: Queryable,
  { chatId, viewer, after }: ChangesRange,
): Promise<ChatChanges | undefined> => {
  if (!isUuid(chatId)) return undefined;
  const [record] = await db.query<ChangesRecord>(CHANGES, [chatId, toViewerValue(viewer), after]);
  return record && toAllChanges(record);
};

/** The same of several chats, whose ids are valid, for viewers of their own. @returns them in the order of the ranges. */
export const readChangesOfMany = async (
  db: Queryable,
  ranges: readonly ChangesRange[],
): Promise<(ChatChanges | undefined)[]> => {
  const [only] = ranges;
  if (only && ranges.length === 1) return [await readChatChanges(db, only)];
  const records = await db.query<ChangesRecord & { place: number }>(CHANGES_OF_MANY, [
    ranges.map(({ chatId }) => chatId),
    ranges.map(({ viewer }) => toViewerKey(viewer)),
    ranges.map(({ after }) => after),
  ]);
  const byPlace = new Map(records.map((record) => [record.place, toAllChanges(record)]));
  return ranges.map((_, place) => byPlace.get(place));
};

/**
 * The same with one page of the messages, as all of a long chat are too much for one read.
 *
 * @param page `afterSeq` is the end of the page before, 0 for the first page; tasks are those changed after the
 *   version `tasksAfter`.
 */
export const readChangesPage = async (
  db: Queryable,
  page: { chatId: string; viewer: Viewer; after: number; afterSeq: number; tasksAfter: number },
): Promise<(ChatChanges & { hasMore: boolean }) | undefined> => {
  const { chatId, viewer, after, afterSeq, tasksAfter } = page;
  if (!isUuid(chatId)) return undefined;
  const values = [chatId, toViewerValue(viewer), after, afterSeq, tasksAfter];
  const [record] = await db.query<ChangesRecord & MessagePageRecord>(CHANGES_PAGE, values);
  if (!record) return undefined;
  const { messages, hasMore } = toMessagePage(record);
  return { ...toChanges(record), messages: withAlternatives(messages, record), hasMore };
};

export const toActions = ({ open_calls: openCalls, child_actions: children }: ActionsRecord) => ({
  openCalls: toOpenCalls(openCalls),
  childActions: (children ?? []).map((child) => ({
    chat: toChatRow(child.chat),
    openCalls: toOpenCalls(child.open_calls),
  })),
});

const toOpenCalls = (records: OpenCallRecord[] | null): OpenCallRow[] =>
  (records ?? []).flatMap((record) => toOpenCallRow(record) ?? []);

/** @returns undefined for a part that is no call. */
export const toOpenCallRow = ({ part, claim, labels }: OpenCallRecord): OpenCallRow | undefined => {
  const call = toPartRow(part);
  if (call.type !== "tool_call") return undefined;
  return { ...call, messageId: part.message_id, claim: claim && toClaimRow(claim), labels };
};

/** A chat with the calls that it waits for, of one moment. */
export type ChatWithCalls = Pick<ChatChanges, "chat" | "openCalls">;

/** A chat with the calls that it and its children wait for, of one moment. */
export type ChatWithActions = ChatWithCalls & Pick<ChatChanges, "childActions">;

/** Above every version, so that no message counts as changed. */
export const NEWEST = 2 ** 31 - 1;

/** A chat as of now, without its messages. */
export const readChatWithCalls = (
  db: Queryable,
  { chatId, viewer }: { chatId: string; viewer: Viewer },
): Promise<ChatWithActions | undefined> => readChatChanges(db, { chatId, viewer, after: NEWEST });

/** Raw like the changes. An answer may have more than a hundred calls, and each is answered by itself. */
const WITH_CALLS: Statement = {
  name: "chat-with-some-calls",
  text: `SELECT row_to_json(chat) AS chat, ${openCallsAsJson("chat", "part.tool_call_id = ANY ($3::text[])")} AS open_calls,
      EXISTS (SELECT ${openCallsOf("chat")} AND part.tool_call_id <> ALL ($3::text[])) AS others
    FROM chat WHERE id = $1::uuid AND ${readableSql("$2", "chat")}`,
};

/** A chat with some of the calls that it waits for, and whether it waits for others as well. */
export const readChatWithSomeCalls = async (
  db: Queryable,
  {
    chatId,
    viewer,
    toolCallIds,
  }: { chatId: string; viewer: Viewer; toolCallIds: readonly string[] },
): Promise<(ChatWithCalls & { hasOtherCalls: boolean }) | undefined> => {
  if (!isUuid(chatId)) return undefined;
  const [record] = await db.query<
    ChatAnswer & Pick<ActionsRecord, "open_calls"> & { others: boolean }
  >(WITH_CALLS, [chatId, toViewerValue(viewer), toolCallIds]);
  if (!record) return undefined;
  return {
    chat: toChatRow(record.chat),
    openCalls: toOpenCalls(record.open_calls),
    hasOtherCalls: record.others,
  };
};
