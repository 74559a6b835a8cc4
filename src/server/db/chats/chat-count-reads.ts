import type { ChatStatus } from "@/contract/chat";
import type { Queryable } from "@/server/db/connection/database";

/** Counts non-archived chats, or only those of agents, by status; omits empty statuses. */
export const countChats = async (
  { prisma }: Queryable,
  { onlyAgents = false }: { onlyAgents?: boolean } = {},
): Promise<Partial<Record<ChatStatus, number>>> => {
  const groups = await prisma.chat.groupBy({
    by: "status",
    where: { archivedAt: null, ...(onlyAgents && { parentChatId: { not: null } }) },
    _count: true,
  });
  return Object.fromEntries(groups.map(({ status, _count }) => [status, _count]));
};
