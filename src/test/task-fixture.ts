import { v7 as newId } from "uuid";
import { beginTask } from "@/server/tasks/task-reports";
import type { Database } from "@/server/db/connection/database";
import type { NewTask } from "@/server/db/sql/machine/task-writes";

/** Begins a task of a chat, as the process `owner` does. @returns its id. */
export const beginTestTask = async (
  db: Database,
  { chatId, ...changes }: { chatId: string } & Partial<Omit<NewTask, "revision">>,
): Promise<string> => {
  const id = newId();
  const call = { toolCallId: "call_1", kind: "tool", label: "Compare", owner: "test" } as const;
  const task = { id, rootChatId: chatId, chatId, shouldReport: true, ...call, ...changes };
  await beginTask({ db, newId }, task);
  return id;
};
