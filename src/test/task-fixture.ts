import { v7 as newId } from "uuid";
import { beginTask } from "@/server/chat/task-reports";
import type { Database } from "@/server/db/database";

/** Begins a task of a chat, as the process `owner` does. @returns its id. */
export const beginTestTask = async (
  db: Database,
  { chatId, label = "Compare", owner = "test" }: { chatId: string; label?: string; owner?: string },
): Promise<string> => {
  const id = newId();
  const call = { toolCallId: "call_1", kind: "tool" } as const;
  const task = { id, rootChatId: chatId, chatId, label, owner, ...call };
  await beginTask({ db, newId }, task);
  return id;
};
