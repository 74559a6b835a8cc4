import type { TaskState } from "@/contract/task-state";

/** A task as the model sees it. */
export type TaskSummary = {
  id: string;
  label: string;
  state: TaskState;
  /** What it has ended with; null before. */
  report: string | null;
};

/** The tasks of a chat. An id of another chat is like an unknown one. */
export type TaskDeps = {
  /** The oldest first. */
  listTasks: (chatId: string, taskId?: string) => Promise<TaskSummary[]>;
  /** @returns false when it has ended before; undefined when there is none. */
  cancelTask: (chatId: string, taskId: string) => Promise<boolean | undefined>;
};

export const unknownTask = (taskId: string): string =>
  `This chat has no task ${JSON.stringify(taskId)}. Call task_status without an id for a list.`;
