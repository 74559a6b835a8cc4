import { v7 as newId } from "uuid";
import type { Database } from "@/server/db/connection/database";
import type { Prisma } from "@/server/db/generated/client";

export type TaskFields = Partial<Prisma.TaskUncheckedCreateInput>;

/** What a task has that has ended. */
export const ENDED_TASK: TaskFields = {
  state: "completed",
  endedAt: new Date(0),
  endPosition: 1,
  report: { output: "", for_user: null, artifacts: [] },
};

/** Inserts a running task of a process directly, bypassing the state machine. @returns its id. */
export const writeTask = async (
  db: Database,
  chatId: string,
  fields: TaskFields = {},
): Promise<string> => {
  const id = newId();
  const call = { toolCallId: "call", kind: "tool", label: "A task" } as const;
  await db.prisma.task.create({
    data: {
      id,
      rootChatId: chatId,
      chatId,
      ...call,
      state: "running",
      revision: 1,
      owner: "gone",
      ...fields,
    },
  });
  return id;
};

/** Makes a chat an agent of another one. */
export const becomeAgent = (db: Database, agentId: string, chatId: string) =>
  db.prisma.chat.update({
    where: { id: agentId },
    data: { parentChatId: chatId, rootChatId: chatId, agentType: "general" },
  });

/** Inserts the running task of an agent directly. @returns its id. */
export const writeAgentTask = (
  db: Database,
  { chatId, agentId }: { chatId: string; agentId: string },
  fields: TaskFields = {},
): Promise<string> =>
  writeTask(db, chatId, { kind: "agent", owner: null, agentChatId: agentId, ...fields });
