import * as z from "zod";
import { BoundaryRef, ChatRef, CompactInput } from "@/contract/chat-inputs";
import { clearContext, undoBoundary } from "@/server/chat/change-boundary";
import { compactChat } from "@/server/chat/compact-chat";
import { defineOperation } from "@/server/api/operation";

export const compactChatOperation = defineOperation({
  name: "chats.compact",
  method: "POST",
  path: "/chats/{chat_id}/compact",
  summary: "Sum up the history of a chat, so that the model reads the summary in its place",
  scope: "chat",
  input: CompactInput,
  output: z.void(),
  status: 202,
  run: (ctx, { chat_id, instructions }) => compactChat(ctx, { chatId: chat_id, instructions }),
});

export const clearContextOperation = defineOperation({
  name: "chats.clear",
  method: "POST",
  path: "/chats/{chat_id}/clear",
  summary: "Let the model read the chat from here on, without a summary; the history stays",
  scope: "chat",
  input: ChatRef,
  output: z.void(),
  status: 204,
  run: (ctx, { chat_id }) => clearContext(ctx, { chatId: chat_id }),
});

export const undoBoundaryOperation = defineOperation({
  name: "messages.undo",
  method: "POST",
  path: "/chats/{chat_id}/messages/{message_id}/undo",
  summary: "Remove the newest summary or cleared context, so that the model reads what was before",
  scope: "chat",
  input: BoundaryRef,
  output: z.void(),
  status: 204,
  run: (ctx, { chat_id, message_id }) =>
    undoBoundary(ctx, { chatId: chat_id, messageId: message_id }),
});
