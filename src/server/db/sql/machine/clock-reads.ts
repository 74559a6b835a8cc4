import type { Queryable, Statement } from "@/server/db/connection/database";

/**
 * Raw, as Prisma takes times as values only and cannot ask for the database's own. Rounded as
 * columns are.
 */
const READ: Statement = { name: "read-clock", text: "SELECT now()::timestamptz(3) AS now" };

/** The time of the database, which all stored times use; within a transaction, its beginning. */
export const readClock = async (db: Queryable): Promise<Date> => {
  const [row] = await db.query<{ now: Date }>(READ, []);
  if (!row) throw new Error("the clock returned no row");
  return row.now;
};
