import type { Queryable, Statement } from "@/server/db/connection/database";
import type { NewPreviewChunk, PreviewChunk } from "@/server/db/sql/writes/preview-writes";

/** A chunk with its place among all chunks. */
export type StoredPreviewChunk = NewPreviewChunk & { id: string };

/** Raw: watchers in other processes read it for each batch of deltas, from the newest snapshot on. */
const AFTER: Statement = {
  name: "preview-chunks-after",
  text: `SELECT id::text AS id, attempt, seq, ops #>> '{}' AS chunk FROM preview_chunk
    WHERE chat_id = $1::uuid AND id >= CASE WHEN $2::bigint > 0 THEN $2::bigint + 1
      ELSE (SELECT max(id) FROM preview_chunk WHERE chat_id = $1::uuid AND seq = 0) END
    ORDER BY id`,
};

/** @param after the last chunk that is known; "0" reads from the newest snapshot on. */
export const readPreviewChunks = async (
  db: Queryable,
  { chatId, after }: { chatId: string; after: string },
): Promise<StoredPreviewChunk[]> => {
  const rows = await db.query<{ id: string; attempt: number; seq: number; chunk: string }>(AFTER, [
    chatId,
    after,
  ]);
  return rows.map(({ id, attempt, seq, chunk }) => ({
    id,
    chatId,
    attempt,
    seq,
    ...(JSON.parse(chunk) as PreviewChunk),
  }));
};
