import * as z from "zod";
import { PromoteInput, QueuedMessageRef } from "@/contract/chat-inputs";
import { deleteQueued, promoteQueued } from "@/server/chat/change-queue";
import { defineOperation } from "@/server/api/operation";

export const deleteQueuedOperation = defineOperation({
  name: "queue.delete",
  method: "DELETE",
  path: "/chats/{chat_id}/queue/{queued_id}",
  summary: "Take a message out of the queue",
  scope: "chat",
  input: QueuedMessageRef,
  output: z.void(),
  status: 204,
  run: (ctx, { chat_id, queued_id }) => deleteQueued(ctx, { chatId: chat_id, queuedId: queued_id }),
});

export const promoteQueuedOperation = defineOperation({
  name: "queue.promote",
  method: "POST",
  path: "/chats/{chat_id}/queue/{queued_id}/promote",
  summary: "Send a queued message now",
  scope: "chat",
  input: PromoteInput,
  output: z.void(),
  status: 202,
  run: (ctx, { chat_id, queued_id, behavior, cancel_calls }) =>
    promoteQueued(ctx, {
      chatId: chat_id,
      queuedId: queued_id,
      behavior,
      cancelCalls: cancel_calls,
    }),
});
