import type { Content } from "@/contract/content";
import type { Mentions } from "@/contract/group";
import type { PrismaModels, Transaction } from "@/server/db/connection/database";
import type { QueuedMessage } from "@/server/db/generated/client";
import type { QueuedMessageRow } from "./rows";

// All of these need a lock on the chat, so that the queue which they read is the one they change.

export type NewQueuedMessage = {
  id: string;
  chatId: string;
  content: Content;
  modelId: string | null;
  mentions?: Mentions | undefined;
  createdBy: string;
};

/** Adds a message to the tail of a chat's queue. */
export const enqueueMessage = async (
  { prisma }: Transaction,
  { mentions, ...message }: NewQueuedMessage,
): Promise<QueuedMessageRow> => {
  const tail = await findEnd(prisma, message.chatId, "desc");
  const position = (tail?.position ?? 0) + 1;
  const data = { ...message, ...(mentions && { mentions }), position };
  return toQueuedMessageRow(await prisma.queuedMessage.create({ data }));
};

/** Removes and returns the message that is next. */
export const takeQueueHead = async (
  { prisma }: Transaction,
  chatId: string,
): Promise<QueuedMessageRow | undefined> => {
  const head = await findEnd(prisma, chatId, "asc");
  if (head) await prisma.queuedMessage.delete({ where: { id: head.id } });
  return head;
};

/** Removes and returns one message of the queue, or undefined when it is not there. */
export const takeQueuedMessage = async (
  { prisma }: Transaction,
  chatId: string,
  queuedId: string,
): Promise<QueuedMessageRow | undefined> => {
  const message = await prisma.queuedMessage.findUnique({ where: { id: queuedId, chatId } });
  if (!message) return undefined;
  await prisma.queuedMessage.delete({ where: { id: queuedId } });
  return toQueuedMessageRow(message);
};

/** Makes one message of the queue the next. @returns false when it is not there. */
export const moveToQueueHead = async (
  { prisma }: Transaction,
  chatId: string,
  queuedId: string,
): Promise<boolean> => {
  const head = await findEnd(prisma, chatId, "asc");
  const { count } = await prisma.queuedMessage.updateMany({
    where: { id: queuedId, chatId },
    data: { position: (head?.position ?? 0) - 1 },
  });
  return count > 0;
};

export const clearQueue = async ({ prisma }: Transaction, chatId: string): Promise<void> => {
  await prisma.queuedMessage.deleteMany({ where: { chatId } });
};

/** The next message of the queue (`asc`), or its last. */
const findEnd = async (
  prisma: PrismaModels,
  chatId: string,
  position: "asc" | "desc",
): Promise<QueuedMessageRow | undefined> => {
  const message = await prisma.queuedMessage.findFirst({
    where: { chatId },
    orderBy: { position },
  });
  return message ? toQueuedMessageRow(message) : undefined;
};

const toQueuedMessageRow = (message: QueuedMessage): QueuedMessageRow => ({
  ...message,
  content: message.content as Content,
  mentions: message.mentions as Mentions | null,
});
