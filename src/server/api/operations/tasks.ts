import * as z from "zod";
import { Agent } from "@/contract/agent";
import { ChatRef, TaskRef } from "@/contract/chat-inputs";
import { Task } from "@/contract/task";
import { defineOperation } from "@/server/api/operation";
import { toWireAgent } from "@/server/api/wire-agent";
import { toWireTask } from "@/server/api/wire-format";
import { unknownChat } from "@/server/machine/lock-chat";
import { cancelTask } from "@/server/chat/manage-tasks";
import { listLiveAgents } from "@/server/db/tasks/agent-reads";
import { listTasks } from "@/server/db/tasks/task-reads";
import { findRootChatId } from "@/server/db/chats/chat-existence-reads";

export const listTasksOperation = defineOperation({
  name: "tasks.list",
  method: "GET",
  path: "/chats/{chat_id}/tasks",
  summary: "List the tasks of a chat, the oldest first",
  scope: "read",
  input: ChatRef,
  output: z.object({ data: z.array(Task) }),
  status: 200,
  run: async ({ db, actor }, { chat_id: chatId }) => {
    if ((await findRootChatId(db, { chatId, viewer: actor })) === undefined) {
      throw unknownChat(chatId);
    }
    return { data: (await listTasks(db, chatId)).map(toWireTask) };
  },
});

export const listChildrenOperation = defineOperation({
  name: "chats.children",
  method: "GET",
  path: "/chats/{chat_id}/children",
  summary: "List the agents that a chat has started, the oldest first",
  scope: "read",
  input: ChatRef,
  output: z.object({ data: z.array(Agent) }),
  status: 200,
  run: async ({ db, actor }, { chat_id: chatId }) => {
    if ((await findRootChatId(db, { chatId, viewer: actor })) === undefined) {
      throw unknownChat(chatId);
    }
    const agents = await listLiveAgents(db, { rootChatId: chatId, viewer: actor });
    return { data: agents.map(toWireAgent) };
  },
});

export const cancelTaskOperation = defineOperation({
  name: "tasks.cancel",
  method: "POST",
  path: "/tasks/{task_id}/cancel",
  summary: "Cancel a task; one that has ended stays as it is",
  scope: "chat",
  input: TaskRef,
  output: Task,
  status: 200,
  chatId: ({ chat_id: chatId }) => chatId,
  run: async (ctx, { task_id: taskId }) => toWireTask(await cancelTask(ctx, taskId)),
});
