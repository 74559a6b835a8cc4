import type { EventType } from "@/contract/event-type";
import type { Queryable, Statement } from "@/server/db/connection/database";
import { ACCESS_COLUMN, type Viewer } from "@/server/db/chats/viewer";

/** Up to where events have been read. Ids of transactions that run at the same time are not in the order of their commits. */
export type EventPosition = {
  /** Of the transaction. */
  xid: number;
  /** Of the event; 0 for the position before all of its transaction. */
  id: number;
};

/** An event as it was written; its chat may have changed since. */
export type EventRow = EventPosition & {
  type: EventType;
  chatId: string;
  rootChatId: string;
  version: number;
  messageId: string | null;
  toolCallId: string | null;
  toolName: string | null;
};

// Raw, as they compare transactions. A transaction before the first one that still runs has ended, and so has none before
// it to come: what is read in this order is never followed by an earlier event.

const FIRST_RUNNING = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint";

const AFTER = `${ACCESS_COLUMN} = $1 AND (xid, id) > ($2::bigint, $3::bigint)`;

const LIST: Statement = {
  name: "list-events",
  text: `SELECT xid::float8 AS xid, id::float8 AS id, type, chat_id AS "chatId", root_chat_id AS "rootChatId", version,
      message_id AS "messageId", tool_call_id AS "toolCallId", tool_name AS "toolName"
    FROM event WHERE ${AFTER} AND xid < ${FIRST_RUNNING} AND type = ANY($4::text[])
    ORDER BY xid, id LIMIT $5`,
};

/** Lists the events of the owner after a position that no event can come before any more. */
export const listEvents = (
  db: Queryable,
  viewer: Viewer,
  { after, types, limit }: { after: EventPosition; types: readonly EventType[]; limit: number },
): Promise<EventRow[]> =>
  db.query<EventRow>(LIST, [viewer.userId, after.xid, after.id, types, limit]);

const IS_HELD: Statement = {
  name: "are-events-held",
  text: `SELECT EXISTS (SELECT FROM event
    WHERE ${AFTER} AND xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint) AS held`,
};

/**
 * Whether there are events after the position that cannot be read yet, as an earlier transaction still runs. Those of another
 * server, which a restored backup has, wait for none.
 */
export const areEventsHeld = async (
  db: Queryable,
  viewer: Viewer,
  after: EventPosition,
): Promise<boolean> => {
  const [row] = await db.query<{ held: boolean }>(IS_HELD, [viewer.userId, after.xid, after.id]);
  return row?.held === true;
};

const POSITION: Statement = {
  name: "read-event-position",
  text: `SELECT ${FIRST_RUNNING}::float8 AS xid`,
};

/** Reads the position that all transactions that have ended before the first running one are before. */
export const readEventPosition = async (db: Queryable): Promise<EventPosition> => {
  const [row] = await db.query<{ xid: number }>(POSITION, []);
  return { xid: row?.xid ?? 0, id: 0 };
};
