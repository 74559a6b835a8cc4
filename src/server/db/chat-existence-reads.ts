import type { Queryable } from "./database";

/** @returns those of the ids that are ids of chats. */
export const listExistingChats = async (
  { prisma }: Queryable,
  chatIds: string[],
): Promise<Set<string>> => {
  const chats = await prisma.chat.findMany({
    where: { id: { in: chatIds } },
    select: { id: true },
  });
  return new Set(chats.map(({ id }) => id));
};
