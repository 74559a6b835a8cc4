import type { Queryable } from "@/server/db/connection/database";
import { HOLD_SESSIONS, RELEASE_SESSIONS } from "@/server/db/sql/rows/chat-row";
import { runNamed } from "@/server/db/sql/rows/named-statement";

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
