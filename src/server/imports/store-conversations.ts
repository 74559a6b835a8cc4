import type { ImportProblem } from "@/contract/import";
import type { Artifact } from "@/contract/part";
import type { Database, Transaction } from "@/server/db/connection/database";
import { moveToChat } from "@/server/db/chats/artifact-writes";
import type { Viewer } from "@/server/db/chats/viewer";
import { insertImportedChats, insertImportProblems } from "@/server/db/imports/import-writes";
import { lockArtifacts } from "@/server/db/sql/machine/artifact-locks";
import { insertPlacedMessages } from "@/server/db/sql/machine/history-inserts";
import { insertImportedChatRows, showImportedChat } from "@/server/db/sql/machine/import-inserts";
import {
  advanceImport,
  type ImportLease,
  type ImportProgress,
  renewImport,
} from "@/server/db/sql/writes/import-leases";
import type { ChatRows } from "./to-rows";

/** A conversation that is ready to be stored. */
export type ReadyConversation = {
  chats: readonly (ChatRows & {
    sourceId: string;
    /** The files that its messages name; those of a branch are shared. */
    fileIds: readonly string[];
  })[];
  /** Its files, which no chat has yet. */
  files: readonly Artifact[];
};

/** Where the import is after the conversations that are stored. */
export type Place = Pick<ImportProgress, "source" | "documentIndex" | "position" | "readBytes">;

/** What one commit brings. */
export type Batch = {
  conversations: readonly ReadyConversation[];
  problems: readonly ImportProblem[];
  /** Conversations that were there already. */
  known: number;
  place: Place;
};

type StoreDeps = { db: Database; viewer: Viewer; lease: ImportLease };

/** The import was deleted, or another worker goes on with it. */
export class LostImportError extends Error {}

/**
 * Commits conversations with the place after them, so that no conversation is stored twice.
 *
 * @throws {LostImportError}
 */
export const storeBatch = ({ db, viewer, lease }: StoreDeps, batch: Batch): Promise<void> =>
  db.transaction(async (tx) => {
    const { conversations } = batch;
    if (conversations.some(({ files }) => files.length > 0)) await lockArtifacts(tx, viewer);
    await advance(tx, lease, batch);
    if (conversations.length === 0) return;
    const chats = conversations.flatMap((conversation) => conversation.chats);
    await insertImportedChatRows(
      tx,
      viewer,
      chats.map(({ chat }) => chat),
    );
    await insertPlacedMessages(
      tx,
      chats.flatMap(({ messages }) => messages),
    );
    for (const conversation of conversations) await giveFiles(tx, conversation);
    await insertSources(tx, viewer, chats);
  });

const advance = async (tx: Transaction, lease: ImportLease, batch: Batch): Promise<void> => {
  const { conversations, problems, known, place } = batch;
  const chats = conversations.flatMap((conversation) => conversation.chats);
  const total = await advanceImport(tx, lease, {
    ...place,
    chats: chats.length,
    messages: chats.reduce((sum, { messages }) => sum + messages.length, 0),
    files: conversations.reduce((sum, { files }) => sum + files.length, 0),
    known,
    problems: problems.length,
  });
  if (total === undefined) throw new LostImportError();
  await insertImportProblems(tx, lease.importId, { problems, total });
};

const insertSources = (
  tx: Transaction,
  viewer: Viewer,
  chats: readonly { sourceId: string; chat: { id: string } }[],
): Promise<void> =>
  insertImportedChats(
    tx,
    viewer,
    chats.map(({ sourceId, chat }) => ({ sourceId, chatId: chat.id })),
  );

/** The first chat has all files, and its branches share those that they name. */
const giveFiles = async (
  tx: Transaction,
  { chats: [first, ...branches], files }: ReadyConversation,
): Promise<void> => {
  if (!first || files.length === 0) return;
  await moveToChat(tx, { chatId: first.chat.id, files });
  const data = branches.flatMap(({ chat, fileIds }) =>
    fileIds.map((artifactId) => ({ chatId: chat.id, artifactId })),
  );
  if (data.length > 0) await tx.prisma.artifactShare.createMany({ data });
};

/** Messages of one commit of a long conversation: others wait for it with an embedded database. */
const PIECE_MESSAGES = 50;
/** Characters of their texts, for the same reason. */
const PIECE_CHARS = 64 * 1024;

/**
 * Stores a long conversation in pieces. Nobody sees its chats before the last commit, which has the place after it.
 *
 * @param batch has this conversation only.
 * @throws {LostImportError}
 */
export const storeLong = async (deps: StoreDeps, batch: Batch): Promise<void> => {
  const { db, viewer, lease } = deps;
  const { importId } = lease;
  const [conversation] = batch.conversations;
  if (!conversation) return;
  const { chats } = conversation;
  const hold = async (tx: Transaction): Promise<void> => {
    if (!(await renewImport(tx, lease))) throw new LostImportError();
  };
  await db.transaction(async (tx) => {
    await hold(tx);
    const rows = chats.map(({ chat }) => ({ ...chat, importId }));
    await insertImportedChatRows(tx, viewer, rows);
  });
  for (const piece of cutPieces(chats.flatMap(({ messages }) => messages))) {
    await db.transaction(async (tx) => {
      await hold(tx);
      await insertPlacedMessages(tx, piece);
    });
  }
  await db.transaction(async (tx) => {
    if (conversation.files.length > 0) await lockArtifacts(tx, viewer);
    await advance(tx, lease, batch);
    await giveFiles(tx, conversation);
    await insertSources(tx, viewer, chats);
    for (const { chat } of chats) await showImportedChat(tx, { chatId: chat.id, importId });
  });
};

const countChars = ({ parts }: ChatRows["messages"][number]): number =>
  parts.reduce((sum, part) => sum + ("text" in part ? part.text.length : 1_000), 0);

function* cutPieces(messages: ChatRows["messages"]): Generator<ChatRows["messages"]> {
  let piece: ChatRows["messages"] = [];
  let chars = 0;
  for (const message of messages) {
    const more = countChars(message);
    if (piece.length === PIECE_MESSAGES || (piece.length > 0 && chars + more > PIECE_CHARS)) {
      yield piece;
      [piece, chars] = [[], 0];
    }
    piece.push(message);
    chars += more;
  }
  if (piece.length > 0) yield piece;
}
