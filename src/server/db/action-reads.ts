import type { Queryable, Transaction } from "./database";
import type { ChatRow } from "./rows";
import { readClock } from "./sql/clock-reads";

/** Lists parked chats whose deadline has passed, the oldest deadline first. */
export const listExpiredActions = async (db: Queryable, limit: number): Promise<string[]> => {
  const chats = await db.prisma.chat.findMany({
    where: { status: "requires_action", actionDeadlineAt: { lt: await readClock(db) } },
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
