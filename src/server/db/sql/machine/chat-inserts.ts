import type { UserContent } from "@/contract/content";
import type { ChatDynamicTool } from "@/contract/dynamic-tool";
import type { ChatParameters } from "@/contract/parameters";
import type { ResponseFormat } from "@/contract/response-format";
import type { Queryable, Transaction } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { ChatRow, MessageRow } from "@/server/db/chats/rows";
import { ACCESS_COLUMN, ACCESS_TYPES, ownedBy, type Viewer } from "@/server/db/chats/viewer";
import {
  type ClaimedChat,
  type ClaimRecord,
  type ClaimRoom,
  TAKE_LEASE,
  toClaimedChat,
  TURN_COLUMNS,
} from "./claim";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import { ANNOUNCE_CHATS, type ChatAnswer, insertStatement } from "@/server/db/sql/rows/chat-row";
import { insertMessageSql } from "@/server/db/sql/rows/message-columns";
import { runNamed } from "@/server/db/sql/rows/named-statement";
import { insertPartSql, toContentParts } from "@/server/db/sql/rows/part-columns";
import { beforeNow, recordType, toColumns, toRecord } from "@/server/db/sql/rows/table-columns";
import { insertTaskSql } from "@/server/db/sql/rows/task-columns";

export type NewChat = {
  id: string;
  viewer: Viewer;
  messageId: string;
  turnId: string;
  createdBy: string;
  title: string;
  content: UserContent;
  systemPrompt: string | null;
  parameters: ChatParameters;
  /** Of its first message. */
  responseFormat?: ResponseFormat | undefined;
  /** Null takes the default model. */
  modelId: string | null;
  dynamicTools: readonly ChatDynamicTool[];
  /** Null takes all tools. */
  toolNames: readonly string[] | null;
  groupNames: readonly string[];
  autoSubmitSuccess: boolean;
  autoSubmitError: boolean;
  wakeOnReports: boolean;
  warnings: string[];
  labels: Record<string, string>;
  actionTimeoutSeconds: number;
  maxSteps: number;
  /** Null for a chat that is not temporary. */
  keptHours?: number | null;
  /** Of the client; unique among the chats of its owner. */
  externalId?: string | undefined;
};

/** A chat whose messages are inserted after it. */
export type NewChatWithHistory = Omit<NewChat, "messageId" | "content"> & {
  status: "pending" | "waiting";
  /** How many messages it will have. */
  lastSeq: number;
};

/** A chat that a call of a locked root chat starts. */
export type NewAgentChat = NewChat & {
  parentChatId: string;
  agentType: string;
  agentQueued: boolean;
  toolCallId: string;
  /** The turn of the call. */
  rootTurnId: string;
  /** The version that the root chat will have. */
  rootVersion: number;
  /** Milliseconds, by which agents that start together differ: they are listed, and begin, in the order of their times. */
  age: number;
};

/** The columns of a chat that are as they are given. */
const CHAT = toColumns({
  id: "uuid",
  status: "chat_status",
  lastSeq: "int",
  rootChatId: "uuid",
  parentChatId: "uuid",
  ...ACCESS_TYPES,
  turnId: "uuid",
  title: "text",
  systemPrompt: "text",
  parameters: "jsonb",
  dynamicTools: "json",
  toolNames: "jsonb",
  groupNames: "jsonb",
  autoSubmitSuccess: "boolean",
  autoSubmitError: "boolean",
  wakeOnReports: "boolean",
  warnings: "jsonb",
  labels: "jsonb",
  actionTimeoutSeconds: "int",
  maxSteps: "int",
  keptHours: "int",
  externalId: "text",
  agentType: "text",
  agentQueued: "boolean",
});

const GIVEN = [
  ...CHAT,
  ...toColumns({
    modelId: "uuid",
    messageId: "uuid",
    createdBy: "text",
    responseFormat: "json",
    parts: "json",
    toolCallId: "text",
    rootTurnId: "uuid",
    rootVersion: "int",
    age: "int",
  }),
];

const MODEL = `SELECT model.id FROM model
  WHERE enabled AND CASE WHEN x.model_id IS NULL THEN is_default ELSE model.id = x.model_id END`;

const INSERTED = "FROM c JOIN x ON x.id = c.id";

type InsertValues = { chats: string };

/** What a chat begins with whose turn a worker begins at once. */
const CLAIMED = {
  values: {
    attempt: "1",
    leaseOwner: "$owner",
    leaseToken: TAKE_LEASE.lease_token,
    leaseExpiresAt: TAKE_LEASE.lease_expires_at,
  },
  select: TURN_COLUMNS,
};

const createStatement = <Values extends InsertValues>(name: string, claimed?: typeof CLAIMED) =>
  insertStatement<Values>({
    name,
    before: { x: `SELECT * FROM json_to_recordset($chats::json) AS x${recordType(GIVEN)}` },
    values: {
      ...Object.fromEntries(CHAT.map(({ key, name }) => [key, `x.${name}`])),
      version: "1",
      historyVersion: "1",
      modelId: `(${MODEL})`,
      createdAt: beforeNow("x.age"),
      updatedAt: beforeNow("x.age"),
      ...claimed?.values,
    },
    ...(claimed && { select: claimed.select }),
    // Agents are announced when it is known whether a worker has claimed them.
    isAnnounced: "c.parent_chat_id IS NULL",
    // Waits for another transaction that inserts the same one, and does not fail its own.
    source: `FROM x WHERE x.model_id IS NULL OR EXISTS (${MODEL})
    ON CONFLICT (${ACCESS_COLUMN}, external_id) WHERE external_id IS NOT NULL DO NOTHING`,
    with: {
      m: insertMessageSql(
        {
          id: "x.message_id",
          chatId: "c.id",
          seq: "1",
          role: "'user'",
          turnId: "c.turn_id",
          revision: "1",
          createdBy: "x.created_by",
          responseFormat: "x.response_format",
        },
        `${INSERTED} WHERE x.message_id IS NOT NULL`,
      ),
      p: insertPartSql(
        {
          messageId: "x.message_id",
          index: "n - 1",
          type: "(part->>'type')::part_type",
          text: "part->>'text'",
          data: "(part->'data')::jsonb",
        },
        `${INSERTED}, json_array_elements(x.parts) WITH ORDINALITY AS t(part, n)`,
      ),
      t: insertTaskSql(
        {
          id: "c.id",
          rootChatId: "c.root_chat_id",
          chatId: "c.root_chat_id",
          toolCallId: "x.tool_call_id",
          kind: "'agent'",
          label: "c.title",
          state: "CASE WHEN c.agent_queued THEN 'queued' ELSE 'running' END::task_state",
          revision: "x.root_version",
          turnId: "x.root_turn_id",
          agentChatId: "c.id",
          createdAt: "c.created_at",
          startedAt: "CASE WHEN NOT c.agent_queued THEN now() END",
        },
        `${INSERTED} WHERE c.parent_chat_id IS NOT NULL`,
      ),
    },
  });

const INSERT = createStatement<InsertValues>("insert-chats");
const INSERT_CLAIMED = createStatement<InsertValues & ClaimRoom>("insert-claimed-chat", CLAIMED);

const NO_AGENT = { parentChatId: null, agentQueued: false, age: 0 };

/** A chat with one message, which begins a turn. */
const WITH_MESSAGE = { status: "pending", lastSeq: 1 };

/**
 * Inserts chats with their first messages, and agents with their tasks. Agents have to be claimed or announced.
 *
 * @returns those that are new, in any order; others have a model that is unknown or disabled, or an external id of another chat.
 */
export const insertChats = async (
  db: Queryable,
  chats: readonly (NewChat | NewAgentChat)[],
): Promise<ChatRow[]> => {
  const records = chats.map(({ content, ...chat }) =>
    toChatRecord({ ...WITH_MESSAGE, ...chat, parts: toContentParts(content) }),
  );
  return runInsert(db, records);
};

/**
 * Inserts a chat with its first message, and claims it.
 *
 * @param room of a worker with room; see `hasRoom`.
 * @returns undefined as `insertChats` omits one.
 */
export const insertClaimedChat = async (
  db: Queryable,
  given: NewChat,
  room: ClaimRoom,
): Promise<ClaimedChat | undefined> => {
  const { content, ...chat } = given;
  const parts = toContentParts(content);
  const chats = toJsonText([toChatRecord({ ...WITH_MESSAGE, ...chat, status: "running", parts })]);
  type Values = InsertValues & ClaimRoom;
  const [record] = await runNamed<ClaimRecord, Values>(db, INSERT_CLAIMED, { ...room, chats });
  if (!record) return undefined;
  const claimed = toClaimedChat({ ...record, history: null, last_retry: null });
  return { ...claimed, history: [toFirstMessage(given, claimed)] };
};

/** The first message of a chat that was inserted with it, as it would be read. */
export const toFirstMessage = (
  { messageId, turnId, createdBy, content, responseFormat }: NewChat,
  chat: ChatRow,
): MessageRow => ({
  id: messageId,
  chatId: chat.id,
  seq: 1,
  role: "user",
  turnId,
  revision: 1,
  parts: toContentParts(content),
  model: null,
  usage: null,
  finishReason: null,
  interrupted: false,
  createdBy,
  responseId: null,
  deleted: false,
  parameters: null,
  responseFormat: responseFormat ?? null,
  formatCheck: null,
  createdAt: chat.createdAt,
});

/** Inserts a chat without messages. @returns undefined as `insertChats` omits one. */
export const insertChatWithHistory = async (
  tx: Transaction,
  chat: NewChatWithHistory,
): Promise<ChatRow | undefined> => {
  const [row] = await runInsert(tx, [toChatRecord({ ...chat, messageId: null, parts: [] })]);
  return row;
};

const toChatRecord = ({
  viewer,
  ...given
}: { id: string; viewer: Viewer; parentChatId?: string } & Record<string, unknown>) => {
  const chat = { ...NO_AGENT, ...ownedBy(viewer), ...given };
  return toRecord({ ...chat, rootChatId: chat.parentChatId ?? chat.id }, GIVEN);
};

const runInsert = async (db: Queryable, records: readonly object[]): Promise<ChatRow[]> => {
  const answers = await runNamed<ChatAnswer, { chats: string }>(db, INSERT, {
    chats: toJsonText(records),
  });
  return answers.map(({ chat }) => toChatRow(chat));
};

/** Announces agents that the transaction has inserted, and that no worker has claimed in it. */
export const announceAgents = async (
  tx: Transaction,
  chatIds: readonly string[],
): Promise<void> => {
  if (chatIds.length > 0) await runNamed(tx, ANNOUNCE_CHATS, { chatIds });
};
