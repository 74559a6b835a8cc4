import type { EndedTaskState, TaskKind } from "@/contract/task-state";
import type { Transaction } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { TaskReport, TaskRow } from "@/server/db/chats/rows";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import { beforeNow } from "@/server/db/sql/rows/table-columns";
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

type ReplacedCalls = { chatId: string; revision: number };

/** SQL of the calls of the messages of a chat that have begun tasks. */
const callsOf = (
  messages: string,
): string => `SELECT part.tool_call_id FROM message JOIN part ON part.message_id = message.id
  WHERE message.chat_id = $chatId::uuid AND ${messages} AND message.role = 'assistant' AND part.type = 'tool_call'`;

const CANCEL_REPLACED = nameValues<ReplacedCalls & { report: string }>({
  name: "cancel-replaced-tasks",
  text: `WITH cancelled AS (
      SELECT id, ended_at IS NULL AS is_open,
        coalesce(ended_at, ${beforeNow("(row_number() OVER (ORDER BY created_at DESC, id DESC) - 1)")}) AS ending FROM task
      WHERE chat_id = $chatId::uuid AND delivered_at IS NULL AND tool_call_id IN (${callsOf("message.deleted AND message.revision = $revision::int")})
        AND tool_call_id NOT IN (${callsOf("NOT message.deleted")}))
    UPDATE task SET state = CASE WHEN is_open THEN 'cancelled' ELSE state END, revision = $revision,
      end_position = coalesce(end_position, $revision), ended_at = cancelled.ending, delivered_at = cancelled.ending, report = coalesce(report, $report::json)
    FROM cancelled WHERE task.id = cancelled.id RETURNING task.agent_chat_id, task.kind, task.should_report, is_open`,
});

/** What has become of the tasks of calls that were replaced. */
type CancelledTasks = {
  /** The agents whose tasks had not ended. */
  agentIds: string[];
  /** The kinds of all tasks that had not. */
  kinds: TaskKind[];
  /** How many reports had waited, which do not enter the history any more. */
  reports: number;
};

const CANCELLED: TaskReport = {
  output: "Cancelled: the call that began this was replaced.",
  for_user: null,
  artifacts: [],
};

/** Ends the tasks of the calls that the transition with this revision has replaced, without reports. */
export const cancelReplacedTasks = async (
  tx: Transaction,
  calls: ReplacedCalls,
): Promise<CancelledTasks> => {
  type Row = {
    agent_chat_id: string | null;
    kind: TaskKind;
    should_report: boolean;
    is_open: boolean;
  };
  const rows = await runNamed<Row, ReplacedCalls & { report: string }>(tx, CANCEL_REPLACED, {
    ...calls,
    report: toJsonText(CANCELLED),
  });
  const open = rows.filter(({ is_open: isOpen }) => isOpen);
  return {
    agentIds: open.flatMap(({ agent_chat_id: id }) => id ?? []),
    kinds: open.map(({ kind }) => kind),
    reports: rows.filter(({ is_open: isOpen, should_report: reports }) => !isOpen && reports)
      .length,
  };
};

const REPORTS = `SELECT part.data->>'task_id' AS task_id, message.deleted, message.revision
  FROM message JOIN part ON part.message_id = message.id
  WHERE message.chat_id = $chatId::uuid AND message.role = 'event' AND part.type = 'report'`;

/** A task that was cancelled with its call has been delivered when it ended, and is in no message. */
const RETURN_REPORTS = nameValues<ReplacedCalls>({
  name: "return-reports",
  text: `WITH reported AS MATERIALIZED (${REPORTS})
    UPDATE task SET delivered_at = NULL, revision = $revision
    WHERE chat_id = $chatId::uuid AND should_report AND delivered_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM reported WHERE task_id = task.id::text AND NOT deleted)
      AND (EXISTS (SELECT FROM reported WHERE task_id = task.id::text AND revision = $revision::int)
        OR (delivered_at = ended_at AND NOT EXISTS (SELECT FROM reported WHERE task_id = task.id::text)))
      AND (tool_call_id IN (${callsOf("NOT message.deleted")})
        OR tool_call_id NOT IN (${callsOf("message.deleted")}))
    RETURNING id`,
});

/**
 * Lets the reports of calls of the history enter it again, if the transition with this revision has replaced the messages that
 * had them, or has brought their calls back. @returns how many.
 */
export const returnReports = async (tx: Transaction, calls: ReplacedCalls): Promise<number> =>
  (await runNamed(tx, RETURN_REPORTS, calls)).length;
