import type { PrismaModels } from "./database";
import type { Prisma } from "./generated/client";
import { isBehind, type ListPosition, NEWEST_FIRST } from "./list-cursor";

/**
 * Chats per query of a search. One query for all chats would read the messages of all users, and would
 * not stop when the page is full.
 */
const BATCH = 200;

/** Finds chats by their titles or messages. @returns ids, the last changed first. */
export const searchChats = async (
  prisma: PrismaModels,
  q: string,
  page: { where: Prisma.ChatWhereInput; after: ListPosition | undefined; take: number },
): Promise<string[]> => {
  const found: string[] = [];
  for (let after = page.after; ;) {
    const batch = await prisma.chat.findMany({
      where: { AND: [page.where, isBehind(after)] },
      select: { id: true, updatedAt: true },
      orderBy: NEWEST_FIRST,
      take: BATCH,
    });
    const ids = batch.map(({ id }) => id);
    const matching = await matchingOf(prisma, ids, q);
    found.push(...ids.filter((id) => matching.has(id)));
    if (found.length >= page.take || batch.length < BATCH) return found.slice(0, page.take);
    after = batch.at(-1);
  }
};

const matchingOf = async (
  prisma: PrismaModels,
  ids: string[],
  q: string,
): Promise<ReadonlySet<string>> => {
  // Escaped here, because Prisma does not escape wildcards.
  const text = { contains: q.replace(/[\\%_]/g, "\\$&"), mode: "insensitive" as const };
  const [named, said] = await Promise.all([
    prisma.chat.findMany({ where: { id: { in: ids }, title: text }, select: { id: true } }),
    prisma.message.groupBy({
      by: "chatId",
      where: {
        chatId: { in: ids },
        role: { in: ["user", "assistant"] },
        visibility: { not: "model" },
        deleted: false,
        parts: { some: { type: "text", text } },
      },
    }),
  ]);
  return new Set([...named.map(({ id }) => id), ...said.map(({ chatId }) => chatId)]);
};
