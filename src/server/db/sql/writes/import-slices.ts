import type { Queryable, Statement } from "@/server/db/connection/database";

// Raw, as Prisma copies bytes through base64.

/** Bytes of each row but the last of an upload. */
export const IMPORT_SLICE_BYTES = 256 * 1024;

const INSERT: Statement = {
  name: "insert-import-slice",
  text: `WITH touched AS (UPDATE import SET updated_at = now(), size = size + octet_length($3::bytea)
      WHERE id = $1::uuid AND state = 'receiving' RETURNING id)
    INSERT INTO import_slice (import_id, position, bytes)
    SELECT id, $2::int, $3::bytea FROM touched RETURNING position`,
};

/** Stores a piece of an upload. @returns false when the import was deleted meanwhile. */
export const insertImportSlice = async (
  db: Queryable,
  { importId, position, bytes }: { importId: string; position: number; bytes: Uint8Array },
): Promise<boolean> => (await db.query(INSERT, [importId, position, bytes])).length > 0;

const READ: Statement = {
  name: "read-import-slice",
  text: "SELECT bytes FROM import_slice WHERE import_id = $1::uuid AND position = $2::int",
};

/** Reads bytes of an upload in slices, without the one at `end`. @throws {Error} when it was deleted meanwhile. */
export async function* readImport(
  db: Queryable,
  { importId, start, end }: { importId: string; start: number; end: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = start; at < end;) {
    const position = Math.floor(at / IMPORT_SLICE_BYTES);
    const sliceStart = position * IMPORT_SLICE_BYTES;
    const [row] = await db.query<{ bytes: Buffer }>(READ, [importId, position]);
    const bytes = row?.bytes.subarray(at - sliceStart, end - sliceStart);
    if (!bytes || bytes.length === 0) throw new Error("the upload was deleted while it was read");
    yield bytes;
    at += bytes.length;
  }
}

const DELETE: Statement = {
  name: "delete-import-slices",
  text: `DELETE FROM import_slice WHERE ctid = ANY(ARRAY(
      SELECT import_slice.ctid FROM import_slice JOIN import ON import.id = import_slice.import_id
      WHERE import.state IN ('completed', 'failed') LIMIT $1::int))
    RETURNING 1`,
};

/** Slices of one statement: an embedded database runs it while all else in the process waits. */
const MAX_DELETED = 16;

/** Deletes uploads whose imports have ended, step by step. @param isStopped ends it early. */
export const deleteUsedSlices = async (
  db: Queryable,
  isStopped: () => boolean = () => false,
): Promise<void> => {
  while (!isStopped()) if ((await db.query(DELETE, [MAX_DELETED])).length === 0) return;
};
