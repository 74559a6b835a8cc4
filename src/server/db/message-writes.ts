import type { Content } from "@/contract/content";
import type { JsonValue } from "@/contract/json";
import type { ToolCallState } from "@/contract/part";
import type { Transaction } from "./database";
import { Prisma } from "./generated/client";
import { type MessageRow, OPEN_CALL_STATES } from "./rows";
import type { CallAnswer } from "./sql/call-answers";
import { readClock } from "./sql/clock-reads";

// Writes of a transition that holds the row lock of the chat, in its transaction.

export type NewUserMessage = {
  id: string;
  chatId: string;
  seq: number;
  turnId: string;
  revision: number;
  createdBy: string;
  content: Content;
};

export const insertUserMessage = async (
  { prisma }: Transaction,
  { content, ...message }: NewUserMessage,
): Promise<MessageRow> => {
  const parts = content.map(({ text }) => ({ type: "text" as const, text }));
  const { visibility, ...row } = await prisma.message.create({
    data: { ...message, role: "user" },
  });
  void visibility;
  await prisma.part.createMany({
    data: parts.map((part, index) => ({ messageId: message.id, index, ...part })),
  });
  return { ...row, usage: null, finishReason: null, parts };
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

/** Soft-deletes the answer of a turn; what began that turn begins the new one. */
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

/** Calls of the last assistant message that a transition changes. */
type CallChange = { chatId: string; revision: number; resolvedBy: string };

/** Stores the outcomes of open calls of the last assistant message. */
export const answerCalls = async (
  tx: Transaction,
  { answers, resolvedBy, ...change }: CallChange & { answers: CallAnswer[] },
): Promise<void> => {
  const completedAt = await readClock(tx);
  for (const { toolCallId, state, output, isError } of answers) {
    await updateCalls(
      tx,
      { ...change, where: { toolCallId } },
      {
        ...{ state, isError, resolvedBy, completedAt, approved: false },
        output: toJson(output),
      },
    );
  }
};

/** Lets calls run that waited for an approval. */
export const approveCalls = async (
  tx: Transaction,
  { toolCallIds, resolvedBy, ...change }: CallChange & { toolCallIds: string[] },
): Promise<void> => {
  const where = { toolCallId: { in: toolCallIds }, state: "awaiting_approval" as const };
  await updateCalls(tx, { ...change, where }, { state: "running", approved: true, resolvedBy });
};

/** Ends every open call of the last assistant message without a result. @returns true when there was one. */
export const closeOpenCalls = async (
  tx: Transaction,
  {
    outcome,
    resolvedBy,
    ...change
  }: CallChange & {
    outcome: { state: ToolCallState; output: JsonValue };
  },
): Promise<boolean> => {
  const where = { state: { in: [...OPEN_CALL_STATES] }, kind: { not: "provider" as const } };
  return updateCalls(
    tx,
    { ...change, where },
    {
      ...{ state: outcome.state, isError: true, resolvedBy, approved: false },
      ...{ output: toJson(outcome.output), completedAt: await readClock(tx) },
    },
  );
};

/** Changes calls of the last assistant message, and its revision with them. @returns true when there was one. */
const updateCalls = async (
  { prisma }: Transaction,
  { chatId, revision, where }: { chatId: string; revision: number; where: Prisma.PartWhereInput },
  data: Prisma.PartUpdateManyMutationInput,
): Promise<boolean> => {
  const message = await prisma.message.findFirst({
    where: { chatId, role: "assistant", deleted: false },
    orderBy: { seq: "desc" },
    select: { id: true },
  });
  if (!message) return false;
  const { id } = message;
  const { count } = await prisma.part.updateMany({ where: { ...where, messageId: id }, data });
  if (count > 0) await prisma.message.update({ where: { id }, data: { revision } });
  return count > 0;
};

/** JSON's null is a legal output, unlike the column's NULL. */
const toJson = (value: JsonValue): Prisma.InputJsonValue | typeof Prisma.JsonNull =>
  value ?? Prisma.JsonNull;
