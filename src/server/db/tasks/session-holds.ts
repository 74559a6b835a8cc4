import type { Queryable } from "@/server/db/connection/database";
import { HOLD_SESSIONS, RELEASE_SESSIONS } from "@/server/db/sql/rows/chat-row";
import { readClock } from "@/server/db/sql/machine/clock-reads";
import { runNamed } from "@/server/db/sql/rows/named-statement";

/** Rows of workers that ended without removing theirs are deleted after this. */
const KEEP_WORKER_MS = 24 * 60 * 60_000;

/** Records that a worker is alive, from its first exec session on. */
export const recordHeartbeat = async (db: Queryable, owner: string): Promise<void> => {
  const seenAt = await readClock(db);
  await db.prisma.worker.upsert({
    where: { owner },
    create: { owner, seenAt },
    update: { seenAt },
  });
  const until = new Date(seenAt.getTime() - KEEP_WORKER_MS);
  await db.prisma.worker.deleteMany({ where: { seenAt: { lt: until } } });
};

export const deleteWorker = async ({ prisma }: Queryable, owner: string): Promise<void> => {
  await prisma.worker.deleteMany({ where: { owner } });
};

/**
 * Makes a worker the one that has the exec sessions of a chat that it works on.
 *
 * @returns whether it was that before; undefined when it does not work on the chat any more.
 */
export const holdSessions = async (
  db: Queryable,
  hold: { owner: string; chatId: string },
): Promise<{ renewed: boolean } | undefined> => {
  const [row] = await runNamed<{ renewed: boolean }, typeof hold>(db, HOLD_SESSIONS, hold);
  return row;
};

export const releaseSessions = async (
  db: Queryable,
  holds: { owner: string; chatIds: readonly string[] },
): Promise<void> => {
  await runNamed(db, RELEASE_SESSIONS, holds);
};

/** Lists those chats whose exec sessions a worker still has: a deleted or interrupted one is missing. */
export const listHeldChats = async (
  { prisma }: Queryable,
  { owner, chatIds }: { owner: string; chatIds: readonly string[] },
): Promise<Set<string>> => {
  const chats = await prisma.chat.findMany({
    where: { id: { in: [...chatIds] }, sessionOwner: owner },
    select: { id: true },
  });
  return new Set(chats.map(({ id }) => id));
};
