import type { Task } from "@/contract/task";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

export const TASK_TEXTS = {
  Task: {
    id: ["The id of the task."],
    root_chat_id: ["The root of the tree of chats; the chat itself for a root."],
    chat_id: SHARED.chat_id,
    tool_call_id: ["The id of the call that began the task.", "call_1"],
    kind: ["What works on the task: an agent, a command or a tool."],
    label: ["What the task is about.", "Compare the libraries"],
    state: ["Whether the task has ended, and how."],
    report: ["What the task has ended with; null before."],
    "report.output": ["What the task has ended with, for the model.", "hello"],
    "report.for_user": SHARED.for_user,
    "report.artifacts": ["Files that the task made."],
    created_at: ["When the task was made."],
    started_at: ["When the work on it began; null before."],
    ended_at: ["When it ended; null before."],
    delivered_at: ["When the report entered the chat, or a call reported the same; null before."],
  } satisfies FieldTexts<Task>,
  "tasks.list": {
    chat_id: SHARED.chat_id,
    data: ["The tasks of the chat."],
  },
} satisfies SchemaTexts;
