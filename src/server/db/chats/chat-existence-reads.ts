import { isUuid } from "@/lib/is-uuid";
import type { Queryable } from "@/server/db/connection/database";
import { readableBy, type Viewer, writableBy } from "./viewer";

/** @returns the ids that belong to chats. */
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

/** @returns the chat with an external id; undefined if the viewer has none. */
export const findExternalChatId = async (
  { prisma }: Queryable,
  { externalId, viewer }: { externalId: string; viewer: Viewer },
): Promise<string | undefined> => {
  const where = { externalId, ...readableBy(viewer) };
  return (await prisma.chat.findFirst({ where, select: { id: true } }))?.id;
};

/** @returns whose child a chat is; undefined for a chat that is unknown or that the viewer may not change. */
export const findParent = async (
  { prisma }: Queryable,
  { chatId, viewer }: { chatId: string; viewer: Viewer },
): Promise<{ parentChatId: string | null } | undefined> => {
  if (!isUuid(chatId)) return undefined;
  const where = { id: chatId, ...writableBy(viewer) };
  return (await prisma.chat.findFirst({ where, select: { parentChatId: true } })) ?? undefined;
};

/** @returns the ids that belong to agents of a chat that the viewer may change. */
export const listAgentIds = async (
  { prisma }: Queryable,
  { chatId, viewer, ids }: { chatId: string; viewer: Viewer; ids: string[] },
): Promise<Set<string>> => {
  const agents = await prisma.chat.findMany({
    where: { id: { in: ids }, parentChatId: chatId, ...writableBy(viewer) },
    select: { id: true },
  });
  return new Set(agents.map(({ id }) => id));
};
