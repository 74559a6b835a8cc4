import type { Queryable, Transaction } from "@/server/db/connection/database";
import type { Prisma } from "@/server/db/generated/client";
import { OPEN_CALL_STATES, type ToolCallPartRow } from "./rows";

const OPEN = {
  state: { in: [...OPEN_CALL_STATES] },
  kind: { not: "provider" },
} satisfies Prisma.PartWhereInput;

/** An open call, as far as those who end it need it. */
export type OpenCall = Pick<
  ToolCallPartRow,
  | "toolCallId"
  | "toolName"
  | "kind"
  | "args"
  | "approvedArgs"
  | "state"
  | "output"
  | "approved"
  | "elicitations"
  | "startedAt"
>;

const OPEN_CALL = {
  toolCallId: true,
  toolName: true,
  kind: true,
  args: true,
  approvedArgs: true,
  state: true,
  output: true,
  approved: true,
  elicitations: true,
  startedAt: true,
} as const;

/** Lists the open calls of the last assistant message of a locked chat. */
export const listOpenCalls = async (
  { prisma }: Transaction,
  chatId: string,
): Promise<OpenCall[]> => {
  const message = await prisma.message.findFirst({
    where: { chatId, role: "assistant", deleted: false },
    orderBy: { seq: "desc" },
    select: { parts: { where: OPEN, select: OPEN_CALL } },
  });
  return (message?.parts ?? []) as unknown as OpenCall[];
};

/** Whether a chat has ever had a call that its clients or people could answer. */
export const hasHadCalls = async ({ prisma }: Queryable, chatId: string): Promise<boolean> => {
  const part = await prisma.part.findFirst({
    where: { message: { chatId }, type: "tool_call", kind: { not: "provider" } },
    select: { index: true },
  });
  return part !== null;
};

type CallId = { chatId: string; toolCallId: string };

/** Returns the given calls that are open; omits deleted ones. */
export const filterOpenCalls = async (
  { prisma }: Queryable,
  calls: readonly CallId[],
): Promise<CallId[]> => {
  const parts = await prisma.part.findMany({
    where: {
      message: { chatId: { in: calls.map(({ chatId }) => chatId) }, deleted: false },
      toolCallId: { in: calls.map(({ toolCallId }) => toolCallId) },
      state: { in: [...OPEN_CALL_STATES] },
    },
    select: { toolCallId: true, message: { select: { chatId: true } } },
  });
  return parts.flatMap(({ toolCallId, message: { chatId } }) =>
    toolCallId === null ? [] : { chatId, toolCallId },
  );
};
