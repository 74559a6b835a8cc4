import type { Queryable, Transaction } from "@/server/db/connection/database";
import type { ChatRow } from "./rows";
import { readClock } from "@/server/db/sql/machine/clock-reads";

/**
 * Lists chats that wait for a client or for agents and whose deadline has passed, the oldest deadline first. Omits
 * archived ones: no transition leads to such a chat, and only `reconcile` accepts one.
 */
export const listExpiredActions = async (
  db: Queryable,
  { limit, except }: { limit: number; except: string[] },
): Promise<string[]> => {
  const chats = await db.prisma.chat.findMany({
    where: {
      status: { in: ["requires_action", "awaiting_agents"] },
      archivedAt: null,
      actionDeadlineAt: { lt: await readClock(db) },
      ...(except.length > 0 && { id: { notIn: except } }),
    },
    select: { id: true },
    orderBy: { actionDeadlineAt: "asc" },
    take: limit,
  });
  return chats.map(({ id }) => id);
};

/** Whether the deadline of a locked chat has passed, by the clock of the database. */
export const isActionExpired = async (
  tx: Transaction,
  { actionDeadlineAt }: Pick<ChatRow, "actionDeadlineAt">,
): Promise<boolean> => actionDeadlineAt !== null && actionDeadlineAt < (await readClock(tx));
