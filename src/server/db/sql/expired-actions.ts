import type { Queryable, Statement } from "@/server/db/database";

// Raw, as the deadline is compared with the clock of the database.

const EXPIRED: Statement = {
  name: "expired-actions",
  text: `SELECT id FROM chat WHERE status = 'requires_action' AND action_deadline_at < now()
    ORDER BY action_deadline_at LIMIT $1`,
};

/** Lists parked chats whose deadline has passed, the oldest deadline first. */
export const listExpiredActions = async (db: Queryable, limit: number): Promise<string[]> =>
  (await db.query<{ id: string }>(EXPIRED, [limit])).map(({ id }) => id);

const EXPIRED_NOW: Statement = {
  name: "action-expired",
  text: `SELECT action_deadline_at < now() AS expired FROM chat WHERE id = $1::uuid`,
};

/** Returns whether the deadline of a locked chat has passed. */
export const isActionExpired = async (tx: Queryable, chatId: string): Promise<boolean> =>
  (await tx.query<{ expired: boolean }>(EXPIRED_NOW, [chatId]))[0]?.expired ?? false;
