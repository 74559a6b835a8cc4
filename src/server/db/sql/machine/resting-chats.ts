import type { Queryable, Statement } from "@/server/db/connection/database";

/** SQL that is true for a row of `chat` that rests with reports that may wake it. */
export const HAS_RESTING_REPORTS = `status = 'waiting' AND report_count > 0 AND archived_at IS NULL
    AND NOT queue_paused AND wake_on_reports AND wakes_left > 0`;

/** Raw, as a status that Prisma binds is not known to be that of the index of chats with reports. */
const RESTING: Statement = {
  name: "resting-chats",
  text: `SELECT id FROM chat WHERE ${HAS_RESTING_REPORTS} LIMIT $1`,
};

/** Lists chats that rest with reports that may wake them. */
export const listRestingChats = async (db: Queryable, limit: number): Promise<string[]> =>
  (await db.query<{ id: string }>(RESTING, [limit])).map(({ id }) => id);
