import * as z from "zod";
import { Chat } from "@/contract/chat";
import {
  ChatRef,
  CreateChatInput,
  ForkChatInput,
  ListChatsInput,
  MarkReadInput,
  UpdateChatInput,
} from "@/contract/chat-inputs";
import { ChatPage, ExistingChat } from "@/contract/chat-outputs";
import { MAX_HISTORY_BODY_BYTES } from "@/contract/limits";
import { pickParameters } from "@/contract/parameters";
import { createOrUseChat } from "@/server/chat/create-or-use-chat";
import { deleteChat } from "@/server/chat/delete-chat";
import { forkChat } from "@/server/chat/fork-chat";
import { markAllRead, markRead } from "@/server/chat/mark-read";
import { reconcileChat } from "@/server/chat/reconcile-chat";
import type { SentMessage } from "@/server/chat/send-message";
import { updateChat } from "@/server/chat/update-chat";
import { listChats } from "@/server/db/chats/chat-list-reads";
import { loadChatOutput, findChat } from "@/server/api/chat-output";
import { defineOperation } from "@/server/api/operation";
import { toWireMessage, toWireQueuedMessage, toWireSummary } from "@/server/api/wire-format";
import { followTurnOperation } from "./watch-chat";

export const createChatOperation = defineOperation({
  name: "chats.create",
  method: "POST",
  path: "/chats",
  summary: "Start a chat with its first message, or with a history",
  scope: "chat",
  maxBodyBytes: MAX_HISTORY_BODY_BYTES,
  input: CreateChatInput,
  output: z.union([Chat, ExistingChat]),
  status: 201,
  answers: {
    schemas: { 201: Chat, 200: ExistingChat },
    statusOf: (output) => ("chat" in output ? 200 : 201),
  },
  location: (output) => ("chat" in output ? undefined : `/chats/${output.id}`),
  chatId: (output) => ("chat" in output ? output.chat : output).id,
  follow: {
    stream: followTurnOperation,
    input: (output) =>
      "chat" in output
        ? { chat_id: output.chat.id, after: (output.version ?? 1) - 1 }
        : { chat_id: output.id },
  },
  wait: {
    chatId: (output) => ("chat" in output ? output.chat : output).id,
    withChat: (output, chat) => ("chat" in output ? { ...output, chat } : chat),
  },
  run: async (ctx, input) => {
    const created = await createOrUseChat(ctx, {
      content: input.content,
      messages: input.messages,
      systemPrompt: input.system_prompt,
      modelId: input.model_id,
      parameters: pickParameters(input),
      responseFormat: input.response_format,
      dynamicTools: input.dynamic_tools,
      toolNames: input.tools,
      groupNames: input.groups,
      autoSubmit: input.auto_submit,
      wakeOnReports: input.wake_on_reports,
      labels: input.labels,
      actionTimeoutSeconds: input.action_timeout_seconds,
      maxSteps: input.max_steps,
      isTemporary: input.temporary,
      externalId: input.external_id,
      ifExists: input.if_exists,
      busyBehavior: input.busy_behavior,
    });
    if ("chat" in created) return loadChatOutput(ctx, created.chat);
    const { existingId, sent } = created;
    return { chat: await findChat(ctx, existingId), ...(sent && toSent(sent)) };
  },
});

const toSent = (sent: SentMessage): Omit<ExistingChat, "chat"> =>
  sent.queued
    ? { queued_message: toWireQueuedMessage(sent.queuedMessage), version: sent.version }
    : { message: toWireMessage(sent.message), version: sent.version };

export const listChatsOperation = defineOperation({
  name: "chats.list",
  method: "GET",
  path: "/chats",
  summary: "List the caller's chats, newest first",
  scope: "read",
  input: ListChatsInput,
  output: ChatPage,
  status: 200,
  run: async (ctx, input) => {
    const { label = [], ...filter } = input;
    const { chats, nextCursor } = await listChats(ctx.db, {
      ...filter,
      labels: [label].flat(),
      archived: toArchived(input),
      needsYou: input.needs_you,
      forkedFrom: input.forked_from,
      externalId: input.external_id,
      viewer: ctx.actor,
    });
    return {
      data: chats.map(toWireSummary),
      ...(nextCursor !== null && { next_cursor: nextCursor }),
    };
  },
});

/** @returns undefined for archived chats and others. */
const toArchived = ({ archived, external_id }: ListChatsInput): boolean | undefined => {
  const listed = archived ?? (external_id === undefined ? false : "any");
  return listed === "any" ? undefined : listed;
};

export const getChatOperation = defineOperation({
  name: "chats.get",
  method: "GET",
  path: "/chats/{chat_id}",
  summary: "Get a chat: enough to drive a client by polling alone",
  scope: "read",
  input: ChatRef,
  output: Chat,
  status: 200,
  version: ({ version }) => version,
  wait: { chatId: ({ id }) => id, withChat: (_, chat) => chat },
  run: (ctx, { chat_id }) => findChat(ctx, chat_id),
});

export const updateChatOperation = defineOperation({
  name: "chats.update",
  method: "PATCH",
  path: "/chats/{chat_id}",
  summary:
    "Change a chat's title, labels, pin, model, parameters, instructions, tools, auto-submit, time limit or archived state",
  scope: "chat",
  input: UpdateChatInput,
  ifMatch: "if_version",
  output: Chat,
  status: 200,
  version: ({ version }) => version,
  run: async (ctx, input) => {
    const chat = await updateChat(ctx, {
      chatId: input.chat_id,
      title: input.title,
      archived: input.archived,
      pinned: input.pinned,
      labels: input.labels,
      modelId: input.model_id,
      parameters: pickParameters(input),
      toolNames: input.tools,
      groupNames: input.groups,
      autoSubmit: input.auto_submit,
      wakeOnReports: input.wake_on_reports,
      isKept: input.temporary === false || undefined,
      systemPrompt: input.system_prompt,
      dynamicTools: input.dynamic_tools,
      actionTimeoutSeconds: input.action_timeout_seconds,
      labelsMerge: input.labels_merge,
      ifVersion: input.if_version,
    });
    return loadChatOutput(ctx, chat);
  },
});

export const forkChatOperation = defineOperation({
  name: "chats.fork",
  method: "POST",
  path: "/chats/{chat_id}/fork",
  summary: "Make a chat that begins with the history of this one, up to a message",
  scope: "chat",
  input: ForkChatInput,
  output: Chat,
  status: 201,
  location: ({ id }) => `/chats/${id}`,
  chatId: ({ id }) => id,
  run: async (ctx, { chat_id, after_seq, title }) =>
    loadChatOutput(ctx, await forkChat(ctx, { chatId: chat_id, afterSeq: after_seq, title })),
});

export const markReadOperation = defineOperation({
  name: "chats.markRead",
  method: "PUT",
  path: "/chats/{chat_id}/read",
  summary: "Mark a chat as read up to a version, for the caller's user",
  scope: "chat",
  input: MarkReadInput,
  output: z.void(),
  status: 204,
  run: (ctx, { chat_id, version }) => markRead(ctx, { chatId: chat_id, version }),
});

export const markAllReadOperation = defineOperation({
  name: "chats.markAllRead",
  method: "PUT",
  path: "/chats/read",
  summary: "Mark all chats as read, for the caller's user",
  scope: "chat",
  input: z.strictObject({}),
  output: z.void(),
  status: 204,
  run: (ctx) => markAllRead(ctx),
});

export const deleteChatOperation = defineOperation({
  name: "chats.delete",
  method: "DELETE",
  path: "/chats/{chat_id}",
  summary: "Delete a chat with all that belongs to it",
  scope: "chat",
  input: ChatRef,
  output: z.void(),
  status: 204,
  run: (ctx, { chat_id }) => deleteChat(ctx, { chatId: chat_id }),
});

export const reconcileChatOperation = defineOperation({
  name: "chats.reconcile",
  method: "POST",
  path: "/chats/{chat_id}/reconcile",
  summary: "Bring a chat out of an invalid state",
  scope: "chat",
  input: ChatRef,
  output: Chat,
  status: 200,
  run: async (ctx, { chat_id }) =>
    loadChatOutput(ctx, await reconcileChat(ctx, { chatId: chat_id })),
});
