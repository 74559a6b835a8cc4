import { EditMessageInput, ListMessagesInput, SendMessageInput } from "@/contract/chat-inputs";
import { MessagePage, SendMessageOutput } from "@/contract/chat-outputs";
import { Message } from "@/contract/message";
import { editMessage } from "@/server/chat/edit-message";
import { sendMessage } from "@/server/chat/send-message";
import { listMessages } from "@/server/db/sql/message-reads";
import { unknownChat } from "@/server/chat/lock-chat";
import { defineOperation } from "@/server/api/operation";
import { toWireMessage, toWireQueuedMessage } from "@/server/api/wire-format";

export const listMessagesOperation = defineOperation({
  name: "messages.list",
  method: "GET",
  path: "/chats/{chat_id}/messages",
  summary: "List a chat's messages and its queue",
  scope: "read",
  input: ListMessagesInput,
  output: MessagePage,
  status: 200,
  run: async (ctx, { chat_id, ...page }) => {
    const found = await listMessages(ctx.db, {
      ...page,
      chatId: chat_id,
      viewer: ctx.actor,
    });
    if (!found) throw unknownChat(chat_id);
    return {
      data: found.messages.map(toWireMessage),
      queued: found.queued.map(toWireQueuedMessage),
      has_more: found.hasMore,
    };
  },
});

export const sendMessageOperation = defineOperation({
  name: "messages.send",
  method: "POST",
  path: "/chats/{chat_id}/messages",
  summary: "Send a message; a busy chat queues it, interrupts itself for it, or refuses it",
  scope: "chat",
  input: SendMessageInput,
  output: SendMessageOutput,
  status: 200,
  run: async (ctx, { chat_id, content, busy_behavior, model_id }): Promise<SendMessageOutput> => {
    const sent = await sendMessage(ctx, {
      chatId: chat_id,
      content,
      busyBehavior: busy_behavior,
      modelId: model_id,
    });
    return sent.queued
      ? { queued: true, queued_message: toWireQueuedMessage(sent.queuedMessage) }
      : { queued: false, message: toWireMessage(sent.message) };
  },
});

export const editMessageOperation = defineOperation({
  name: "messages.edit",
  method: "PATCH",
  path: "/chats/{chat_id}/messages/{message_id}",
  summary: "Replace a user message and all after it",
  scope: "chat",
  input: EditMessageInput,
  output: Message,
  status: 200,
  run: async (ctx, { chat_id, message_id, content }) =>
    toWireMessage(await editMessage(ctx, { chatId: chat_id, messageId: message_id, content })),
});
