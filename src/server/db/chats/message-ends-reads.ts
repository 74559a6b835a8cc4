import type { Role } from "@/contract/message";
import type { Queryable } from "@/server/db/connection/database";

/** How a message of a chat ended. */
export type MessageEnd = {
  seq: number;
  role: Role;
  finishReason: string | null;
  interrupted: boolean;
  /** Whether it has calls of tools that the server or a client answers. */
  hasCalls: boolean;
};

/** Reads how the last two messages of a chat ended, the last one first; boundaries are none. */
export const readLastEnds = async (
  { prisma }: Queryable,
  chatId: string,
): Promise<MessageEnd[]> => {
  const messages = await prisma.message.findMany({
    where: { chatId, deleted: false, parts: { none: { type: "summary" } } },
    orderBy: { seq: "desc" },
    take: 2,
    select: {
      seq: true,
      role: true,
      finishReason: true,
      interrupted: true,
      parts: { where: { type: "tool_call", kind: { not: "provider" } }, select: { index: true } },
    },
  });
  return messages.map(({ parts, ...message }) => ({ ...message, hasCalls: parts.length > 0 }));
};
