import type { Content } from "@/contract/content";
import type { MessageUsage } from "@/contract/usage";
import type { Transaction } from "@/server/db/connection/database";
import { toPartData } from "./part-data";
import type { MessageRow, PartRow, ReportPartRow } from "./rows";

// All of these need a lock on the chat, whose version gives each message its revision.

type NewMessage = { id: string; chatId: string; seq: number; turnId: string; revision: number };

export type NewUserMessage = NewMessage & { createdBy: string; content: Content };

export const insertUserMessage = async (
  { prisma }: Transaction,
  { content, ...message }: NewUserMessage,
): Promise<MessageRow> => {
  const parts = content.map(({ text }) => ({ type: "text" as const, text }));
  const row = await prisma.message.create({
    data: {
      ...message,
      role: "user",
      parts: { create: parts.map((part, index) => ({ ...part, index })) },
    },
    omit: { visibility: true },
  });
  return { ...row, usage: null, finishReason: null, parts };
};

/** A message of the server: reports of tasks. */
export const insertEventMessage = async (
  { prisma }: Transaction,
  { parts, ...message }: NewMessage & { parts: ReportPartRow[] },
): Promise<MessageRow> => {
  const row = await prisma.message.create({
    data: {
      ...message,
      role: "event",
      parts: { createMany: { data: parts.map((part, index) => ({ ...toPartData(part), index })) } },
    },
    omit: { visibility: true },
  });
  return { ...row, usage: null, finishReason: null, parts };
};

/** The part of an answer that arrived before it was interrupted, or failed. */
export const insertPartialMessage = async (
  { prisma }: Transaction,
  {
    parts,
    usage,
    ...message
  }: NewMessage & { model: string; parts: PartRow[]; usage?: MessageUsage | undefined },
): Promise<void> => {
  await prisma.message.create({
    data: {
      ...message,
      role: "assistant",
      finishReason: "interrupted",
      interrupted: true,
      ...(usage && { usage }),
      parts: { createMany: { data: parts.map((part, index) => ({ ...toPartData(part), index })) } },
    },
    select: { id: true },
  });
};

/** Soft-deletes a message and all after it. */
export const deleteMessagesFrom = async (
  { prisma }: Transaction,
  { chatId, seq, revision }: { chatId: string; seq: number; revision: number },
): Promise<void> => {
  await prisma.message.updateMany({
    where: { chatId, seq: { gte: seq }, deleted: false },
    data: { deleted: true, revision },
  });
};

/** Soft-deletes the answer of a turn, and moves its other messages to the new turn. */
export const replaceAnswer = async (
  { prisma }: Transaction,
  turn: { chatId: string; turnId: string; newTurnId: string; revision: number },
): Promise<void> => {
  const { chatId, turnId, newTurnId, revision } = turn;
  await prisma.message.updateMany({
    where: { chatId, turnId, role: "assistant", deleted: false },
    data: { deleted: true, revision },
  });
  await prisma.message.updateMany({
    where: { chatId, turnId, deleted: false },
    data: { turnId: newTurnId, revision },
  });
};
