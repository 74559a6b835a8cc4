import type { Queryable } from "./database";

/** Reads why the last message of a chat ended; null for a message of a person. */
export const readLastFinishReason = async (
  { prisma }: Queryable,
  chatId: string,
): Promise<string | null> => {
  const last = await prisma.message.findFirst({
    where: { chatId, deleted: false },
    orderBy: { seq: "desc" },
    select: { finishReason: true },
  });
  return last?.finishReason ?? null;
};
