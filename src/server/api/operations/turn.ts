import * as z from "zod";
import { Chat } from "@/contract/chat";
import {
  AlternativeRef,
  ChatRef,
  DecideApprovalsInput,
  InterruptInput,
  RegenerateInput,
} from "@/contract/chat-inputs";
import { BegunTurn } from "@/contract/chat-outputs";
import { pickParameters } from "@/contract/parameters";
import { chooseBranch } from "@/server/chat/choose-branch";
import { continueChat } from "@/server/chat/continue-chat";
import { decideApprovals } from "@/server/chat/decide-approvals";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { regenerate } from "@/server/chat/regenerate";
import { loadChatOutput } from "@/server/api/chat-output";
import { defineOperation, type Operation } from "@/server/api/operation";
import { followTurnOperation } from "./watch-chat";

/** The stream begins with what the turn has written. */
const FOLLOW: NonNullable<Operation<z.ZodType, typeof BegunTurn>["follow"]> = {
  stream: followTurnOperation,
  input: ({ version }, { chat_id }) => ({ chat_id, after: version - 1 }),
};

export const regenerateOperation = defineOperation({
  name: "chats.regenerate",
  method: "POST",
  path: "/chats/{chat_id}/regenerate",
  summary: "Answer the last user message anew",
  scope: "chat",
  input: RegenerateInput,
  output: BegunTurn,
  status: 202,
  follow: FOLLOW,
  run: async (ctx, { chat_id, model_id, ...input }) => ({
    version: await regenerate(ctx, {
      chatId: chat_id,
      modelId: model_id,
      parameters: pickParameters(input),
    }),
  }),
});

export const chooseBranchOperation = defineOperation({
  name: "messages.choose",
  method: "POST",
  path: "/chats/{chat_id}/messages/{message_id}/choose",
  summary:
    "Bring back what an edit or a regenerated answer has replaced, in place of what is there now",
  scope: "chat",
  input: AlternativeRef,
  output: z.void(),
  status: 204,
  run: (ctx, { chat_id, message_id }) =>
    chooseBranch(ctx, { chatId: chat_id, messageId: message_id }),
});

export const continueChatOperation = defineOperation({
  name: "chats.continue",
  method: "POST",
  path: "/chats/{chat_id}/continue",
  summary:
    "Continue a turn that rests after the results of its tools, or that has failed after them",
  scope: "chat",
  input: ChatRef,
  output: BegunTurn,
  status: 202,
  follow: FOLLOW,
  run: async (ctx, { chat_id }) => ({ version: await continueChat(ctx, { chatId: chat_id }) }),
});

export const interruptChatOperation = defineOperation({
  name: "chats.interrupt",
  method: "POST",
  path: "/chats/{chat_id}/interrupt",
  summary:
    "Stop the turn and the agents of a chat, and pause its queue; what is written already is kept",
  scope: "chat",
  input: InterruptInput,
  output: Chat,
  status: 200,
  run: async (ctx, { chat_id, cancel_calls }) =>
    loadChatOutput(ctx, await interruptChat(ctx, { chatId: chat_id, cancelCalls: cancel_calls })),
});

export const decideApprovalsOperation = defineOperation({
  name: "chats.decideApprovals",
  method: "POST",
  path: "/chats/{chat_id}/approvals",
  summary: "Approve or reject tool calls of the chat or its agents, once or always",
  scope: "approvals:decide",
  input: DecideApprovalsInput,
  output: z.void(),
  status: 204,
  run: (ctx, { chat_id, decisions }) =>
    decideApprovals(ctx, {
      chatId: chat_id,
      decisions: decisions.map(({ chat_id: of, tool_call_id, ...decision }) => ({
        chatId: of,
        toolCallId: tool_call_id,
        ...decision,
      })),
    }),
});
