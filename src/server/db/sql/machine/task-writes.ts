import type { EndedTaskState, TaskKind } from "@/contract/task-state";
import type { Transaction } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { TaskReport, TaskRow } from "@/server/db/chats/rows";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import {
  deliverReports,
  insertTaskSql,
  OPEN_TASK,
  REPORTED_TASKS,
  type TaskRecord,
  toTaskRow,
  UNDELIVERED_REPORT,
} from "@/server/db/sql/rows/task-columns";

// All of these need a lock on the chat, whose version gives each task its revision.

type TaskFields = {
  id: string;
  rootChatId: string;
  chatId: string;
  toolCallId: string;
  kind: TaskKind;
  label: string;
  revision: number;
};

/** A task of a process. */
export type NewTask = TaskFields & {
  owner: string;
  /** Whether its report enters the history. */
  shouldReport: boolean;
};

/** A task of an agent that has ended one before. */
type NewAgentTask = TaskFields & {
  turnId: string;
  agentChatId: string;
};

type InsertValues = TaskFields & {
  owner: string | null;
  shouldReport: boolean;
  turnId: string | null;
  agentChatId: string | null;
};

const INSERT = nameValues<InsertValues>({
  name: "insert-task",
  text: insertTaskSql({
    id: "$id::uuid",
    rootChatId: "$rootChatId::uuid",
    chatId: "$chatId::uuid",
    toolCallId: "$toolCallId",
    kind: "$kind::task_kind",
    label: "$label",
    state: "'running'",
    revision: "$revision",
    owner: "$owner",
    shouldReport: "$shouldReport",
    turnId: "$turnId::uuid",
    agentChatId: "$agentChatId::uuid",
    startedAt: "now()",
  }),
});

export const insertTask = async (tx: Transaction, task: NewTask | NewAgentTask): Promise<void> => {
  await runNamed(tx, INSERT, {
    owner: null,
    shouldReport: true,
    turnId: null,
    agentChatId: null,
    ...task,
  });
};

type StartedTask = { taskId: string; revision: number };

const START = nameValues<StartedTask>({
  name: "start-task",
  text: `UPDATE task SET state = 'running', revision = $revision, started_at = now()
    WHERE id = $taskId::uuid AND state = 'queued'`,
});

/** Records that a queued task has begun. */
export const startTask = async (tx: Transaction, task: StartedTask): Promise<void> => {
  await runNamed(tx, START, task);
};

export type TaskEnd = { state: EndedTaskState; report: TaskReport };

type EndedTask = { taskId: string; chatId: string; revision: number };

// The version rises with each end, so that it orders them.
const END = nameValues<EndedTask & { state: EndedTaskState; report: string }>({
  name: "end-task",
  text: `UPDATE task SET state = $state::task_state, revision = $revision, end_position = $revision,
      ended_at = now(), report = $report::json
    WHERE id = $taskId::uuid AND chat_id = $chatId::uuid AND ${OPEN_TASK}
    RETURNING *`,
});

/** Ends a task with its report. @returns undefined if it had ended before, or is deleted. */
export const endTask = async (
  tx: Transaction,
  { report, ...end }: TaskEnd & EndedTask,
): Promise<Pick<TaskRow, "kind" | "shouldReport"> | undefined> => {
  const [record] = await runNamed<TaskRecord, typeof end & { report: string }>(tx, END, {
    ...end,
    report: toJsonText(report),
  });
  return record && toTaskRow(record);
};

type ReportedTasks = { chatId: string; reportedTasks: readonly string[]; revision: number };

const MARK_REPORTED = nameValues<ReportedTasks>({
  name: "mark-reported-tasks",
  text: `${deliverReports({ revision: "$revision", where: REPORTED_TASKS })} RETURNING id`,
});

/**
 * Marks reports as delivered whose content is in the outcomes of calls. @returns how many of them were to enter the
 * history.
 */
export const markReported = async (tx: Transaction, tasks: ReportedTasks): Promise<number> => {
  if (tasks.reportedTasks.length === 0) return 0;
  const marked = await runNamed(tx, MARK_REPORTED, tasks);
  return marked.length;
};

type TakenReports = { chatId: string; revision: number };

// Agents that have ended in one transaction differ in their times only.
const TAKE_REPORTS = nameValues<TakenReports>({
  name: "take-reports",
  text: `WITH taken AS (
      ${deliverReports({ revision: "$revision", where: `task.chat_id = $chatId::uuid AND ${UNDELIVERED_REPORT}` })}
      RETURNING *)
    SELECT * FROM taken ORDER BY end_position, ended_at`,
});

/** Marks the reports that have not entered the history as delivered. @returns their tasks, as they have ended. */
export const takeReports = async (tx: Transaction, chat: TakenReports): Promise<TaskRow[]> =>
  (await runNamed<TaskRecord, TakenReports>(tx, TAKE_REPORTS, chat)).map(toTaskRow);
