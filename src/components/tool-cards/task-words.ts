import type { TaskState } from "@/contract/task-state";

const WORDS: Record<TaskState, string> = {
  queued: "Queued",
  running: "Running",
  completed: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
  unknown: "Unknown",
};

export const describeTaskState = (state: TaskState): string => WORDS[state];

/** @returns whether a task has no report yet. */
export const isTaskOpen = (state: TaskState): boolean => state === "queued" || state === "running";
