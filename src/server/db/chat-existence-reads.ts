import { isUuid } from "@/lib/is-uuid";
import type { Queryable } from "./database";
import { readableBy, type Viewer } from "./viewer";

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

/** @returns the root of a chat's family; undefined for a chat that is unknown or that the viewer may not read. */
export const findRootChatId = async (
  { prisma }: Queryable,
  { chatId, viewer }: { chatId: string; viewer: Viewer },
): Promise<string | undefined> => {
  if (!isUuid(chatId)) return undefined;
  const chat = await prisma.chat.findFirst({
    where: { id: chatId, ...readableBy(viewer) },
    select: { rootChatId: true },
  });
  return chat?.rootChatId;
};
