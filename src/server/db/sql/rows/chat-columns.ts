import type { Chat } from "@/server/db/generated/client";
import type { ChatRow } from "@/server/db/chats/rows";
import { ACCESS_TYPES } from "@/server/db/chats/viewer";
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
  actionDeadlineAt: "timestamptz",
  lastSeq: "int",
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
  title: "text",
  titled: "boolean",
  pinned: "boolean",
  labels: "jsonb",
  modelId: "uuid",
  systemPrompt: "text",
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

/** A row of `chat` as SQL names its columns. */
export type ChatRecord = Record<string, unknown>;

export const toChatRow: (record: ChatRecord) => ChatRow = createRowReader<ChatRow>(CHAT);
