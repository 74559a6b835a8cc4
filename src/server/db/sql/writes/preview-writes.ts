import type { PreviewOp } from "@/contract/stream-event";
import type { Queryable, Statement } from "@/server/db/connection/database";
import { notifySql } from "@/server/db/sql/rows/chat-row";

/** Announces "<chat id> <process id>", with " again" behind it when the whole preview is needed. */
export const WATCH_CHANNEL = "parley_watch";

/** Announces "<chat id> <attempt> <seq>" of each row of `preview_chunk`. */
export const PREVIEW_CHANNEL = "parley_preview";

/** What one row of `preview_chunk` carries to the watchers in other processes. */
export type PreviewChunk = {
  /** Which preview it is of; unique among all processes. */
  preview: string;
  historyVersion: number;
  /** For a snapshot: the last row that it includes, 0 when there is none. */
  through: number;
  ops: readonly PreviewOp[];
  /** The preview is over; nothing comes after this row. */
  isEnd?: boolean;
};

/** `seq` is 0 for a snapshot; the others are counted from 1. */
export type NewPreviewChunk = PreviewChunk & { chatId: string; attempt: number; seq: number };

// Raw, as the row and its notification are one statement, for each batch of deltas of an answer.
// The chunk is JSON inside a JSON text: a delta may end in the middle of a surrogate pair, and
// models write NUL characters, neither of which `jsonb` takes as what they are.
const INSERT: Statement = {
  name: "insert-preview-chunk",
  text: `WITH c AS (
      INSERT INTO preview_chunk (chat_id, attempt, seq, ops)
      VALUES ($1::uuid, $2, $3, to_jsonb($4::text)) RETURNING chat_id, attempt, seq)
    SELECT ${notifySql(PREVIEW_CHANNEL, "c.chat_id || ' ' || c.attempt || ' ' || c.seq")} FROM c`,
};

/** Stores a chunk for watchers in other processes and announces it. */
export const insertPreviewChunk = async (
  db: Queryable,
  { chatId, attempt, seq, ...chunk }: NewPreviewChunk,
): Promise<void> => {
  await db.query(INSERT, [chatId, attempt, seq, JSON.stringify(chunk)]);
};

/** How long chunks are stored: every watcher has read them by then. */
const CHUNK_LIFE_SECONDS = 60;

/** Raw, as chunks are as old as the clock of the database says. */
const PRUNE: Statement = {
  name: "prune-preview-chunks",
  text: `DELETE FROM preview_chunk WHERE created_at < now() - make_interval(secs => ${CHUNK_LIFE_SECONDS})`,
};

/** Deletes rows that are older than any watcher needs. */
export const prunePreviewChunks = async (db: Queryable): Promise<void> => {
  await db.query(PRUNE, []);
};

/** Raw, as Prisma cannot notify. */
const ANNOUNCE: Statement = {
  name: "announce-watching",
  text: `SELECT ${notifySql(WATCH_CHANNEL, "chat_id || ' ' || $2")} FROM unnest($1::text[]) AS chat_id`,
};

/** Notifies the processes that work on these chats that another process has watchers. */
export const announceWatching = async (
  db: Queryable,
  { chatIds, processId, again }: { chatIds: string[]; processId: string; again: boolean },
): Promise<void> => {
  if (chatIds.length === 0) return;
  await db.query(ANNOUNCE, [chatIds, again ? `${processId} again` : processId]);
};
