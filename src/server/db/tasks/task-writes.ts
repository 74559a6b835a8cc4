import type { JsonValue } from "@/contract/json";
import { type EndedTaskState, OpenTaskState, type TaskKind } from "@/contract/task-state";
import type { Transaction } from "@/server/db/connection/database";
import { toJsonInput } from "@/server/db/chats/part-data";
import type { TaskReport, TaskRow } from "@/server/db/chats/rows";
import { readClock } from "@/server/db/sql/machine/clock-reads";

// All of these need a lock on the chat, whose version gives each task its revision.

const isOpen = { in: [...OpenTaskState.options] };
/** A report that is to enter the history. */
const waits = { NOT: { state: isOpen }, shouldReport: true, deliveredAt: null };

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

export const insertTask = async (tx: Transaction, task: NewTask | NewAgentTask): Promise<void> => {
  const startedAt = await readClock(tx);
  await tx.prisma.task.create({ data: { ...task, state: "running", startedAt } });
};

/** Records that a queued task has begun. */
export const startTask = async (
  tx: Transaction,
  { taskId, revision }: { taskId: string; revision: number },
): Promise<void> => {
  await tx.prisma.task.updateMany({
    where: { id: taskId, state: "queued" },
    data: { state: "running", revision, startedAt: await readClock(tx) },
  });
};

export type TaskEnd = { state: EndedTaskState; report: TaskReport };

/** Ends a task with its report. @returns undefined if it had ended before, or is deleted. */
export const endTask = async (
  tx: Transaction,
  {
    taskId,
    chatId,
    revision,
    state,
    report,
  }: TaskEnd & {
    taskId: string;
    chatId: string;
    revision: number;
  },
): Promise<Pick<TaskRow, "kind" | "shouldReport"> | undefined> => {
  const endedAt = await readClock(tx);
  // The version rises with each end, so that it orders them.
  const [ended] = await tx.prisma.task.updateManyAndReturn({
    where: { id: taskId, chatId, state: isOpen },
    data: {
      state,
      revision,
      endedAt,
      endPosition: revision,
      report: toJsonInput(report as JsonValue),
    },
    select: { kind: true, shouldReport: true },
  });
  return ended;
};

/**
 * Marks reports as delivered whose content is in the outcomes of calls. @returns how many of them were to enter the
 * history.
 */
export const markReported = async (
  tx: Transaction,
  { chatId, taskIds, revision }: { chatId: string; taskIds: readonly string[]; revision: number },
): Promise<number> => {
  if (taskIds.length === 0) return 0;
  const { count } = await tx.prisma.task.updateMany({
    where: { chatId, id: { in: [...taskIds] }, ...waits },
    data: { deliveredAt: await readClock(tx), revision },
  });
  return count;
};

/** Marks the reports that have not entered the history as delivered. @returns their tasks, as they have ended. */
export const takeReports = async (
  tx: Transaction,
  { chatId, revision }: { chatId: string; revision: number },
): Promise<TaskRow[]> => {
  const tasks = await tx.prisma.task.findMany({
    where: { chatId, ...waits },
    // Agents that have ended in one transaction differ in their times only.
    orderBy: [{ endPosition: "asc" }, { endedAt: "asc" }],
  });
  const deliveredAt = await readClock(tx);
  await tx.prisma.task.updateMany({
    where: { id: { in: tasks.map(({ id }) => id) } },
    data: { deliveredAt, revision },
  });
  return tasks as TaskRow[];
};
