import type { Task } from "@/server/db/generated/client";
import type { TaskRow } from "@/server/db/chats/rows";
import { createInsert, createRowReader, toColumns } from "./table-columns";

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

/** SQL that inserts a task. */
export const insertTaskSql = createInsert("task", TASK);

/** SQL of the condition of a task that has not ended. */
export const OPEN_TASK = "task.state IN ('queued', 'running')";

/** SQL of the condition of a task whose report is to enter the history. */
export const UNDELIVERED_REPORT =
  "task.should_report AND task.ended_at IS NOT NULL AND task.delivered_at IS NULL";

/** SQL of the condition of the tasks that outcomes of calls report and whose own report has not entered the history. */
export const REPORTED_TASKS = `task.chat_id = $chatId::uuid AND task.id = ANY($reportedTasks::uuid[])
  AND ${UNDELIVERED_REPORT}`;

/** SQL that marks reports as delivered. */
export const deliverReports = ({
  revision,
  from = "",
  where,
}: {
  revision: string;
  from?: string;
  where: string;
}): string => `UPDATE task SET delivered_at = now(), revision = ${revision} ${from} WHERE ${where}`;

/** Maximum number of tasks in one answer, the newest. */
export const MAX_TASKS = 200;

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
