import type { Labels } from "@/contract/labels";
import { DEFAULT_ACTION_TIMEOUT_SECONDS, DEFAULT_MAX_STEPS } from "@/contract/limits";
import type { ChatParameters } from "@/contract/parameters";
import type { Queryable, Transaction } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import { ACCESS_TYPES, ownedBy, type Viewer } from "@/server/db/chats/viewer";
import { deleteStatement, insertStatement, metadataStatement } from "@/server/db/sql/rows/chat-row";
import { runNamed } from "@/server/db/sql/rows/named-statement";
import { recordType, toColumns, toRecord } from "@/server/db/sql/rows/table-columns";

/** A chat that an import makes, without its messages. It rests. */
export type ImportedChatRow = {
  id: string;
  title: string;
  archivedAt: Date | null;
  pinned: boolean;
  labels: Labels;
  systemPrompt: string | null;
  parameters: ChatParameters;
  modelId: string | null;
  turnId: string;
  lastSeq: number;
  createdAt: Date;
  updatedAt: Date;
  /** The chat that it is a branch of, if that is known, and how many messages it has of it; null for no branch. */
  forkedFromId: string | null;
  forkedFromSeq: number | null;
  /** The import, while the chat is not whole. */
  importId: string | null;
};

const CHAT = toColumns({
  id: "uuid",
  ...ACCESS_TYPES,
  title: "text",
  archivedAt: "timestamptz",
  pinned: "boolean",
  labels: "jsonb",
  systemPrompt: "text",
  parameters: "jsonb",
  turnId: "uuid",
  lastSeq: "int",
  createdAt: "timestamptz",
  updatedAt: "timestamptz",
  forkedFromSeq: "int",
  importId: "uuid",
});

const GIVEN = [...CHAT, ...toColumns({ modelId: "uuid", forkedFromId: "uuid" })];

const INSERT = insertStatement<{ chats: string }>({
  name: "insert-imported-chats",
  values: {
    ...Object.fromEntries(CHAT.map(({ key, name }) => [key, `x.${name}`])),
    rootChatId: "x.id",
    status: "'waiting'",
    version: "1",
    historyVersion: "1",
    titled: "true",
    actionTimeoutSeconds: String(DEFAULT_ACTION_TIMEOUT_SECONDS),
    maxSteps: String(DEFAULT_MAX_STEPS),
    // Both may have been deleted since they were looked up.
    modelId: "(SELECT model.id FROM model WHERE model.id = x.model_id)",
    forkedFromId: `CASE WHEN EXISTS (SELECT FROM chat origin WHERE origin.id = x.forked_from_id)
      OR EXISTS (SELECT FROM json_to_recordset($chats::json) AS y(id uuid) WHERE y.id = x.forked_from_id)
      THEN x.forked_from_id END`,
  },
  source: `FROM json_to_recordset($chats::json) AS x${recordType(GIVEN)}`,
  // Thousands of notifications would let each page of the person read thousands of chats, one by one.
  isAnnounced: "false",
});

/** Inserts chats without messages. Nobody is notified of them. */
export const insertImportedChatRows = async (
  tx: Transaction,
  viewer: Viewer,
  chats: readonly ImportedChatRow[],
): Promise<void> => {
  const records = chats.map((chat) => toRecord({ ...chat, ...ownedBy(viewer) }, GIVEN));
  await runNamed(tx, INSERT, { chats: toJsonText(records) });
};

const SHOW = metadataStatement<{ chatId: string; importId: string }>({
  name: "show-imported-chat",
  assign: { import_id: "NULL" },
  where: "id = $chatId::uuid AND import_id = $importId::uuid",
});

/** Shows a chat that is whole now. */
export const showImportedChat = async (
  tx: Transaction,
  chat: { chatId: string; importId: string },
): Promise<void> => {
  await runNamed(tx, SHOW, chat);
};

const DELETE_UNFINISHED = deleteStatement<{ importId: string }>(
  "delete-unfinished-chats",
  "import_id = $importId::uuid",
);

/** Deletes what a worker that has died has begun. */
export const deleteUnfinishedChats = async (db: Queryable, importId: string): Promise<void> => {
  await runNamed(db, DELETE_UNFINISHED, { importId });
};
