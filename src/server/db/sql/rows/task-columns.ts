import type { Task } from "@/server/db/generated/client";
import type { TaskRow } from "@/server/db/chats/rows";
import { createRowReader, toColumns } from "./table-columns";

const TASK = toColumns({
  id: "uuid",
  rootChatId: "uuid",
  chatId: "uuid",
  toolCallId: "text",
  kind: "task_kind",
  label: "text",
  state: "task_state",
  revision: "int",
  owner: "text",
  shouldReport: "boolean",
  turnId: "uuid",
  agentChatId: "uuid",
  report: "json",
  endPosition: "int",
  createdAt: "timestamptz",
  startedAt: "timestamptz",
  endedAt: "timestamptz",
  deliveredAt: "timestamptz",
} as const satisfies Record<keyof Task, string>);

/** Maximum number of tasks in one answer, the newest. */
const MAX_TASKS = 200;

/** SQL of a JSON array of the chat's tasks that have changed after a version, the oldest first. */
export const changedTasksAsJson = (
  after: string,
): string => `CASE WHEN task_version > ${after} THEN (
  SELECT json_agg(task ORDER BY task.created_at, task.id) FROM (
    SELECT * FROM task WHERE task.chat_id = chat.id AND revision > ${after}
    ORDER BY created_at DESC, id DESC LIMIT ${MAX_TASKS}) AS task) END`;

/** A row of `task` as SQL names its columns. */
export type TaskRecord = Record<string, unknown>;

export const toTaskRow: (record: TaskRecord) => TaskRow = createRowReader<TaskRow>(TASK);
