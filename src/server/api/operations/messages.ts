import type { ServerContext } from "@/server/context";
import { listLiveAgents } from "@/server/db/tasks/agent-reads";
import type { ChatRow } from "@/server/db/chats/rows";
import { toWireAgent } from "@/server/api/wire-agent";
import {
  EditMessageInput,
  FindMessagesInput,
  ListMessagesInput,
  OpenChatInput,
  SendMessageInput,
} from "@/contract/chat-inputs";
import { FoundMessages, MessagePage, OpenedChat, SendMessageOutput } from "@/contract/chat-outputs";
import { Message } from "@/contract/message";
import { pickParameters } from "@/contract/parameters";
import { editMessage } from "@/server/chat/edit-message";
import { sendMessage } from "@/server/chat/send-message";
import { listChatTasks } from "@/server/db/tasks/task-reads";
import { findInChat } from "@/server/db/sql/reads/find-reads";
import { listMessages, openChat } from "@/server/db/sql/reads/message-reads";
import { findContextLimit } from "@/server/api/chat-output";
import { unknownChat } from "@/server/machine/lock-chat";
import { defineOperation } from "@/server/api/operation";
import {
  toWireMessage,
  toWireQueuedMessage,
  toWireSnapshot,
  toWireTask,
} from "@/server/api/wire-format";
import { followTurnOperation } from "./watch-chat";

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
      version: found.version,
    };
  },
});

export const searchMessagesOperation = defineOperation({
  name: "messages.search",
  method: "GET",
  path: "/chats/{chat_id}/search",
  summary: "Find the messages of a chat that have a text",
  scope: "read",
  input: FindMessagesInput,
  output: FoundMessages,
  status: 200,
  run: async (ctx, { chat_id, ...search }) => {
    const found = await findInChat(ctx.db, { ...search, chatId: chat_id, viewer: ctx.actor });
    if (!found) throw unknownChat(chat_id);
    return { data: found.messages, next_before: found.nextBefore };
  },
});

export const openChatOperation = defineOperation({
  name: "chats.open",
  method: "GET",
  path: "/chats/{chat_id}/open",
  summary: "Get a chat with its newest messages and the cursor of its stream, of one moment",
  scope: "read",
  input: OpenChatInput,
  output: OpenedChat,
  status: 200,
  run: async (ctx, { chat_id, limit }) => {
    const found = await openChat(ctx.db, { chatId: chat_id, viewer: ctx.actor, limit });
    if (!found) throw unknownChat(chat_id);
    const { chat, openCalls, childActions, queued, messages, hasMore, origin, forks } = found;
    const limitTokens = await findContextLimit(ctx, chat);
    return {
      chat: toWireSnapshot(chat, queued, { openCalls, childActions, limitTokens }),
      data: messages.map(toWireMessage),
      has_more: hasMore,
      // They may be newer than the chat, which does no harm: the stream sends them again.
      ...(await findTasks(ctx, chat)),
      origin,
      forks,
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
  follow: {
    stream: followTurnOperation,
    input: ({ version }, { chat_id }) => ({ chat_id, after: version - 1 }),
  },
  wait: {
    chatId: (_, params) => params.chat_id ?? "",
    withChat: (output, chat) => ({ ...output, chat }),
  },
  run: async (ctx, { chat_id, content, ...input }): Promise<SendMessageOutput> => {
    const sent = await sendMessage(ctx, {
      chatId: chat_id,
      content,
      busyBehavior: input.busy_behavior,
      cancelCalls: input.cancel_calls,
      modelId: input.model_id,
      mentions: input.mentions,
      parameters: pickParameters(input),
      responseFormat: input.response_format,
    });
    const { version } = sent;
    return sent.queued
      ? { queued: true, queued_message: toWireQueuedMessage(sent.queuedMessage), version }
      : { queued: false, message: toWireMessage(sent.message), version };
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
  run: async (ctx, { chat_id, message_id, content, mentions, ...input }) =>
    toWireMessage(
      await editMessage(ctx, {
        chatId: chat_id,
        messageId: message_id,
        content,
        mentions,
        parameters: pickParameters(input),
      }),
    ),
});

/** Nearly every chat has none. */
const findTasks = async (
  { db, actor }: ServerContext,
  { id, taskVersion }: ChatRow,
): Promise<Pick<OpenedChat, "tasks" | "agents">> => {
  if (taskVersion === 0) return { tasks: [], agents: [] };
  const [tasks, agents] = await Promise.all([
    listChatTasks(db, id),
    listLiveAgents(db, { rootChatId: id, viewer: actor }),
  ]);
  return { tasks: tasks.map(toWireTask), agents: agents.map(toWireAgent) };
};
