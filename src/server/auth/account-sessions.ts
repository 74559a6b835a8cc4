import type { Database, Queryable } from "@/server/db/connection/database";
import { readClock } from "@/server/db/sql/machine/clock-reads";
import type { CredentialCaches } from "./credential-cache";

export type AccountSessionRow = {
  id: string;
  createdAt: Date;
  /** When the session was last extended, which happens once a day. */
  updatedAt: Date;
  userAgent: string | null;
};

/** A user's sessions that work, the most recently used first. The secret of a session is not read. */
export const listSessions = async (db: Queryable, userId: string): Promise<AccountSessionRow[]> =>
  db.prisma.session.findMany({
    where: { userId, expiresAt: { gt: await readClock(db) } },
    select: { id: true, createdAt: true, updatedAt: true, userAgent: true },
    orderBy: [{ updatedAt: "desc" }, { id: "desc" }],
  });

/** @returns which of the sessions still work. */
export const findValidSessionIds = async (db: Queryable, ids: string[]): Promise<string[]> => {
  const where = { id: { in: ids }, expiresAt: { gt: await readClock(db) } };
  return (await db.prisma.session.findMany({ where, select: { id: true } })).map(({ id }) => id);
};

/**
 * Ends a session, in this process at once.
 *
 * @returns false when the user has no such session.
 */
export const endSession = async (
  { db, caches }: { db: Database; caches: CredentialCaches },
  { id, userId }: { id: string; userId: string },
): Promise<boolean> => {
  const { count } = await db.prisma.session.deleteMany({ where: { id, userId } });
  caches.sessions.clear();
  return count > 0;
};
