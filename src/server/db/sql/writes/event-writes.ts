import type { Queryable, Statement } from "@/server/db/connection/database";
import { ACCESS_COLUMN, type Viewer } from "@/server/db/chats/viewer";
import { EVENT_AGE } from "@/server/db/sql/rows/chat-row";

// Raw, as they go by transactions and the clock of the database.

const THIS_TRANSACTION = "pg_current_xact_id()::text::bigint";

const SAVE_READER: Statement = {
  name: "save-event-reader",
  text: `INSERT INTO event_reader (${ACCESS_COLUMN}) VALUES ($1)
    ON CONFLICT (${ACCESS_COLUMN}) DO UPDATE SET read_at = now(),
      since_xid = CASE WHEN event_reader.read_at > now() - ${EVENT_AGE} THEN event_reader.since_xid ELSE ${THIS_TRANSACTION} END
    RETURNING since_xid::float8 AS "sinceXid"`,
};

/**
 * Lets the events of an owner be written for a week from now on.
 *
 * @returns the transaction from which on they are there.
 */
export const saveEventReader = async (db: Queryable, { userId }: Viewer): Promise<number> => {
  const [row] = await db.query<{ sinceXid: number }>(SAVE_READER, [userId]);
  return row?.sinceXid ?? 0;
};

const DELETE_OLD: Statement = {
  name: "delete-old-events",
  text: `WITH gone AS (DELETE FROM event WHERE created_at < now() - ${EVENT_AGE} RETURNING ${ACCESS_COLUMN}, xid),
      last AS (SELECT ${ACCESS_COLUMN}, max(xid) + 1 AS xid FROM gone GROUP BY ${ACCESS_COLUMN}),
      absent AS (DELETE FROM event_reader WHERE read_at < now() - ${EVENT_AGE})
    UPDATE event_reader SET since_xid = greatest(since_xid, last.xid) FROM last
    WHERE event_reader.${ACCESS_COLUMN} = last.${ACCESS_COLUMN} AND event_reader.read_at >= now() - ${EVENT_AGE}`,
};

/** Deletes the events that are too old, and the readers that have read none for as long. */
export const deleteOldEvents = async (db: Queryable): Promise<void> => {
  await db.query(DELETE_OLD, []);
};
