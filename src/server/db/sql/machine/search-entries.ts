import type { Queryable } from "@/server/db/connection/database";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";

// Raw: Prisma cannot skip locked rows. The embedded database runs a statement on the main thread, so each has few parts.

/** Maximum number of parts per statement; each updates several indexes. */
const MAX_PARTS = 64;
/** Maximum bytes of text per statement, but at least one part: some 5 ms of the embedded database. */
const MAX_BYTES = 16 * 1024;

type Values = { maxParts: number; maxBytes: number };

const ADD = nameValues<Values>({
  name: "add-search-entries",
  text: `WITH oldest AS MATERIALIZED (
      SELECT message_id, index, position, coalesce(octet_length(text), 0) AS bytes FROM part
      WHERE NOT is_indexed ORDER BY position LIMIT $maxParts FOR UPDATE SKIP LOCKED),
    summed AS (SELECT message_id, index, sum(bytes) OVER (ORDER BY position) - bytes AS bytes_before FROM oldest)
    UPDATE part SET is_indexed = true FROM summed
    WHERE part.message_id = summed.message_id AND part.index = summed.index AND summed.bytes_before < $maxBytes
    RETURNING 1`,
});

/**
 * Lets the search find the oldest parts that were written without entries for it. What another process does it for is left
 * out.
 *
 * @returns how many there were; 0 when all have their entries.
 */
export const addSearchEntries = async (db: Queryable): Promise<number> =>
  (await runNamed<object, Values>(db, ADD, { maxParts: MAX_PARTS, maxBytes: MAX_BYTES })).length;
