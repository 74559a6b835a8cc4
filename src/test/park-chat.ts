import { v7 as newId } from "uuid";
import type { Database } from "@/server/db/database";
import type { ChatRow, PartRow, ToolCallPartRow } from "@/server/db/rows";
import { claimChats } from "@/server/db/sql/claim";
import { commitStep } from "@/server/db/sql/turn-commits";
import { toolCall } from "./tool-call";

/** An open call as the model makes it. */
export const openCall = (
  toolCallId: string,
  toolName: string,
  fields: Partial<Pick<ToolCallPartRow, "args" | "state">> = {},
): ToolCallPartRow => toolCall({ toolCallId, toolName, ...fields });

/** Takes a pending chat as a worker does. Takes every other pending chat of the database too. */
export const claimChat = async (db: Database, chatId: string): Promise<ChatRow> => {
  const claimed = await claimChats(db, { owner: "test", limit: 100_000 });
  const chat = claimed.find(({ id }) => id === chatId);
  if (!chat) throw new Error(`chat ${chatId} was not pending`);
  return chat;
};

/** Commits one answer of a pending chat, which then ends its turn or waits for its open calls. */
export const answerChat = async (
  db: Database,
  chatId: string,
  { parts, after }: { parts: PartRow[]; after: "park" | "finish" },
): Promise<void> => {
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
    finishReason: after === "park" ? ("tool-calls" as const) : ("stop" as const),
    responseId: null,
  };
  const next =
    after === "park" ? { type: after, timeoutSeconds: 3_600 } : ({ type: after } as const);
  const committed = await commitStep(db, fence, { step, after: next });
  if (!committed) throw new Error(`the answer to chat ${chatId} was refused`);
};
