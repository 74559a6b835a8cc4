import type { Chat } from "@/server/db/generated/client";
import type { ChatRow } from "@/server/db/chats/rows";
import { ACCESS_TYPES, type ChatAccess } from "@/server/db/chats/viewer";
import { createInsert, createRowReader, toColumns } from "./table-columns";

const CHAT = toColumns({
  id: "uuid",
  status: "chat_status",
  archivedAt: "timestamptz",
  version: "int",
  historyVersion: "int",
  queueVersion: "int",
  attempt: "int",
  leaseOwner: "text",
  leaseToken: "uuid",
  leaseExpiresAt: "timestamptz",
  sessionOwner: "text",
  retry: "jsonb",
  notBefore: "timestamptz",
  lastError: "jsonb",
  compaction: "jsonb",
  actionDeadlineAt: "timestamptz",
  lastSeq: "int",
  alternativeCount: "int",
  queuedCount: "int",
  queuePaused: "boolean",
  turnId: "uuid",
  turnSteps: "int",
  taskVersion: "int",
  reportCount: "int",
  wakesLeft: "int",
  ...ACCESS_TYPES,
  parentChatId: "uuid",
  agentType: "text",
  agentQueued: "boolean",
  rootChatId: "uuid",
  forkedFromId: "uuid",
  forkedFromSeq: "int",
  importId: "uuid",
  keptHours: "int",
  externalId: "text",
  title: "text",
  titled: "boolean",
  pinned: "boolean",
  labels: "jsonb",
  modelId: "uuid",
  systemPrompt: "text",
  parameters: "jsonb",
  dynamicTools: "json",
  toolNames: "jsonb",
  groupNames: "jsonb",
  autoSubmitSuccess: "boolean",
  autoSubmitError: "boolean",
  wakeOnReports: "boolean",
  warnings: "jsonb",
  actionTimeoutSeconds: "int",
  maxSteps: "int",
  usage: "jsonb",
  contextTokens: "int",
  createdAt: "timestamptz",
  updatedAt: "timestamptz",
} as const satisfies Record<keyof Chat, string>);

/** SQL that inserts a chat. Only `chat-row.ts` runs it. */
export const insertChatSql = createInsert("chat", CHAT);

/** What a fork has in a column: what it is in the chat that it comes from, what it is in a new chat, or what is given. */
type ForkColumn = "copied" | "new" | "given";

const FORK_COLUMNS = {
  id: "given",
  status: "given",
  archivedAt: "new",
  version: "given",
  historyVersion: "given",
  queueVersion: "new",
  attempt: "new",
  leaseOwner: "new",
  leaseToken: "new",
  leaseExpiresAt: "new",
  sessionOwner: "new",
  retry: "new",
  notBefore: "new",
  lastError: "new",
  compaction: "new",
  actionDeadlineAt: "new",
  lastSeq: "given",
  alternativeCount: "new",
  queuedCount: "new",
  queuePaused: "new",
  turnId: "given",
  turnSteps: "new",
  taskVersion: "new",
  reportCount: "new",
  wakesLeft: "new",
  parentChatId: "new",
  agentType: "new",
  agentQueued: "new",
  rootChatId: "given",
  forkedFromId: "given",
  forkedFromSeq: "given",
  importId: "new",
  keptHours: "copied",
  // It is of one chat alone.
  externalId: "new",
  title: "given",
  titled: "given",
  pinned: "new",
  // By which programs find their chats: they would find two. Those of the viewer stay, who would not see the fork.
  labels: "given",
  modelId: "copied",
  systemPrompt: "copied",
  parameters: "copied",
  dynamicTools: "copied",
  toolNames: "copied",
  groupNames: "copied",
  autoSubmitSuccess: "copied",
  autoSubmitError: "copied",
  wakeOnReports: "copied",
  warnings: "copied",
  actionTimeoutSeconds: "copied",
  maxSteps: "copied",
  usage: "new",
  contextTokens: "given",
  createdAt: "new",
  updatedAt: "new",
} as const satisfies Record<Exclude<keyof Chat, keyof ChatAccess>, ForkColumn>;

type GivenColumn = {
  [Key in keyof typeof FORK_COLUMNS]: (typeof FORK_COLUMNS)[Key] extends "given" ? Key : never;
}[keyof typeof FORK_COLUMNS];

/** The SQL of the columns of a fork. @param origin the table expression of the chat that it comes from. */
export const forkColumns = (
  origin: string,
  given: Record<GivenColumn | keyof ChatAccess, string>,
): Parameters<typeof insertChatSql>[0] => {
  const copied = CHAT.filter(
    ({ key }) => (FORK_COLUMNS as Partial<Record<string, ForkColumn>>)[key] === "copied",
  );
  return {
    ...Object.fromEntries(copied.map(({ key, name }) => [key, `${origin}.${name}`])),
    ...given,
  };
};

/** A row of `chat` as SQL names its columns. */
export type ChatRecord = Record<string, unknown>;

export const toChatRow: (record: ChatRecord) => ChatRow = createRowReader<ChatRow>(CHAT);
