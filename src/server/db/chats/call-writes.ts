import type { JsonValue } from "@/contract/json";
import type { ToolCallState } from "@/contract/part";
import type { Transaction } from "@/server/db/connection/database";
import type { Prisma } from "@/server/db/generated/client";
import { type Answer, toAnswerData, toJsonInput, toOutcomeData } from "./part-data";
import { OPEN_CALL_STATES, type ToolCallPartRow } from "./rows";
import { readClock } from "@/server/db/sql/machine/clock-reads";

// All of these need a lock on the chat, whose version gives each message its revision.

const OPEN = {
  state: { in: [...OPEN_CALL_STATES] },
  kind: { not: "provider" },
} satisfies Prisma.PartWhereInput;

const lastAnswerOf = (chatId: string) =>
  ({
    where: { chatId, role: "assistant", deleted: false },
    orderBy: { seq: "desc" },
  }) satisfies Prisma.MessageFindFirstArgs;

/** Stores the outcomes of open calls of the last assistant message. */
export const answerCalls = async (
  tx: Transaction,
  calls: {
    chatId: string;
    revision: number;
    resolvedBy: string;
    answers: (Answer & { toolCallId: string })[];
  },
): Promise<void> => {
  const { answers, resolvedBy } = calls;
  if (answers.length === 0) return;
  const ended = { resolvedBy, approved: false, completedAt: await readClock(tx) };
  await changeCalls(
    tx,
    calls,
    answers.map(({ toolCallId, ...answer }) => ({
      where: { toolCallId },
      data: { ...ended, ...toAnswerData(answer) },
    })),
  );
};

/** Lets calls run that waited for a person's approval. */
export const approveCalls = async (
  tx: Transaction,
  calls: { chatId: string; revision: number; resolvedBy: string; toolCallIds: string[] },
): Promise<void> => {
  const { toolCallIds, resolvedBy } = calls;
  const where = { toolCallId: { in: toolCallIds }, state: "awaiting_approval" } as const;
  await changeCalls(tx, calls, [{ where, data: { state: "running", approved: true, resolvedBy } }]);
};

/** Resumes a call whose question needs no answer any more. */
export const resumeCall = async (
  tx: Transaction,
  call: { chatId: string; revision: number; toolCallId: string },
): Promise<void> => {
  const where = { toolCallId: call.toolCallId, state: "awaiting_result" } as const;
  await changeCalls(tx, call, [{ where, data: { state: "running" } }]);
};

/** An open call, as far as those who end it need it. */
export type OpenCall = Pick<
  ToolCallPartRow,
  | "toolCallId"
  | "toolName"
  | "kind"
  | "args"
  | "state"
  | "output"
  | "approved"
  | "elicitations"
  | "startedAt"
>;

/** Ends open calls of the last assistant message without a result. */
export const closeOpenCalls = async (
  tx: Transaction,
  calls: {
    chatId: string;
    revision: number;
    resolvedBy: string;
    outcome: { state: ToolCallState; output: JsonValue };
    open: readonly OpenCall[];
  },
): Promise<void> => {
  const { resolvedBy, outcome, open } = calls;
  if (open.length === 0) return;
  const toolCallIds = open.map(({ toolCallId }) => toolCallId);
  const data = {
    state: outcome.state,
    output: toJsonInput(outcome.output),
    isError: true,
    resolvedBy,
    approved: false,
    completedAt: await readClock(tx),
  };
  await changeCalls(tx, calls, [{ where: { ...OPEN, toolCallId: { in: toolCallIds } }, data }]);
};

const OPEN_CALL = {
  toolCallId: true,
  toolName: true,
  kind: true,
  args: true,
  state: true,
  output: true,
  approved: true,
  elicitations: true,
  startedAt: true,
} as const;

/** Lists the open calls of the last assistant message. */
export const listOpenCalls = async (
  { prisma }: Transaction,
  chatId: string,
): Promise<OpenCall[]> => {
  const message = await prisma.message.findFirst({
    ...lastAnswerOf(chatId),
    select: { parts: { where: OPEN, select: OPEN_CALL } },
  });
  return (message?.parts ?? []) as unknown as OpenCall[];
};

type CallChange = { where: Prisma.PartWhereInput; data: Prisma.PartUpdateManyMutationInput };

/** Changes calls of the last assistant message. @returns true when there were some. */
const changeCalls = async (
  { prisma }: Transaction,
  { chatId, revision }: { chatId: string; revision: number },
  changes: CallChange[],
): Promise<boolean> => {
  const message = await prisma.message.findFirst({
    ...lastAnswerOf(chatId),
    select: { id: true },
  });
  if (!message) return false;
  let changed = 0;
  for (const { where, data } of changes) {
    const { count } = await prisma.part.updateMany({
      where: { ...where, messageId: message.id },
      data,
    });
    changed += count;
  }
  if (changed > 0) await prisma.message.updateMany({ where: message, data: { revision } });
  return changed > 0;
};

/** Stores the outcomes of calls that had ended when their turn was interrupted. */
export const settleEndedCalls = async (
  { prisma }: Transaction,
  { messageId, calls, revision }: { messageId: string; calls: ToolCallPartRow[]; revision: number },
): Promise<void> => {
  for (const call of calls) {
    await prisma.part.updateMany({
      where: { messageId, toolCallId: call.toolCallId, state: "running" },
      data: toOutcomeData(call),
    });
  }
  await prisma.message.updateMany({ where: { id: messageId }, data: { revision } });
};
