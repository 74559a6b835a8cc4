import { v7 as newId } from "uuid";
import type { FinishReason } from "@/contract/message";
import type { Database } from "@/server/db/connection/database";
import type { ChatRow, PartRow, ToolCallPartRow } from "@/server/db/chats/rows";
import { claimChats } from "@/server/db/sql/machine/claim";
import type { AfterCommit } from "@/server/db/sql/machine/after-commit";
import { commitStep } from "@/server/db/sql/machine/turn-commits";
import { toolCall } from "./tool-call";

/** An open dynamic call. */
export const openCall = (
  toolCallId: string,
  toolName: string,
  fields: Partial<Pick<ToolCallPartRow, "args" | "approvalScope" | "kind" | "state">> = {},
): ToolCallPartRow => toolCall({ toolCallId, toolName, ...fields });

/** Claims a pending chat, and with it every other pending chat of the database. */
export const claimChat = async (db: Database, chatId: string): Promise<ChatRow> => {
  const claimed = await claimChats(db, { owner: "test", limit: 100_000 });
  const chat = claimed.find(({ id }) => id === chatId);
  if (!chat) throw new Error(`chat ${chatId} was not pending`);
  return chat;
};

/** Commits an answer to a pending chat, which then finishes its turn, parks, or has a worker run its calls. */
export const commitAnswer = async (
  db: Database,
  chatId: string,
  answer: {
    parts: PartRow[];
    after: AfterCommit["type"];
    finishReason?: FinishReason;
    timeouts?: Record<string, number>;
  },
): Promise<void> => {
  const {
    parts,
    after,
    timeouts: seconds = {},
    finishReason = after === "finish" ? "stop" : "tool-calls",
  } = answer;
  const chat = await claimChat(db, chatId);
  const fence = {
    chatId,
    leaseToken: chat.leaseToken ?? "",
    historyVersion: chat.historyVersion,
  };
  const step = {
    messageId: newId(),
    usageId: newId(),
    model: "demo/demo",
    parts,
    usage: { input_tokens: 7, output_tokens: 5 },
    costMicros: 3,
    finishReason,
    responseId: null,
  };
  const timeouts = parts.flatMap((part) =>
    part.type === "tool_call"
      ? [{ toolCallId: part.toolCallId, timeoutSeconds: seconds[part.toolCallId] ?? 3_600 }]
      : [],
  );
  const next = after === "park" ? { type: after, timeouts } : ({ type: after } as const);
  const committed = await commitStep(db, fence, { step, after: next });
  if (!committed) throw new Error(`the answer to chat ${chatId} was refused`);
};

/** Lets the deadlines of calls that a parked chat waits for pass, of all or of some, and so that of the chat. */
export const passDeadlines = async (
  { prisma }: Database,
  chatId: string,
  toolCallIds?: readonly string[],
): Promise<void> => {
  const past = new Date(0);
  await prisma.part.updateMany({
    where: {
      message: { chatId, deleted: false },
      deadlineAt: { not: null },
      ...(toolCallIds && { toolCallId: { in: [...toolCallIds] } }),
    },
    data: { deadlineAt: past },
  });
  await prisma.chat.updateMany({
    where: { id: chatId, actionDeadlineAt: { not: null } },
    data: { actionDeadlineAt: past },
  });
};

/** Lets the leases of the calls of a chat run out. */
export const passLeases = async ({ prisma }: Database, chatId: string): Promise<void> => {
  await prisma.callClaim.updateMany({
    where: { chatId, token: { not: null } },
    data: { expiresAt: new Date(0) },
  });
};
