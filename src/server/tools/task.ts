import type { TaskKind } from "@/contract/task-state";
import type { ToolResult } from "./tool-result";

/** Work that may go on after its call. */
export type NewTask = {
  kind: Exclude<TaskKind, "agent">;
  /** What people and the model know it by. */
  label: string;
  /** Whether its end enters the chat as a report. */
  shouldReport: boolean;
};

/** What a tool gets for work that goes on after its call. */
export type TaskHandle = Readonly<{
  id: string;
  /** Aborted when a person or the model cancels the task, when its chat is deleted, and when the server stops. */
  signal: AbortSignal;
  /**
   * Ends the task. The first end counts, later ones are ignored; a promise that rejects is a failure. Does not throw.
   *
   * @param end `isCancelled` when it was stopped before it had an outcome of its own.
   */
  complete: (
    result: ToolResult<unknown> | Promise<ToolResult<unknown>>,
    end?: { isCancelled: boolean },
  ) => void;
}>;

/** A task that has not begun. */
export type OpenTask = {
  handle: TaskHandle;
  /** Records that it has begun: its report comes after this. Rejects when it cannot. */
  begin: () => Promise<void>;
  /** Ends it without a trace. */
  drop: () => void;
  /** Resolves when its end is stored, or will never be. Does not reject. */
  ended: Promise<void>;
};

/** Runs a call that may leave a task behind: it does when it returns an `asyncResult`. */
export const runWithTask = async <Value>(
  { handle, begin, drop }: OpenTask,
  run: (task: TaskHandle) => Promise<ToolResult<Value>>,
): Promise<ToolResult<Value>> => {
  try {
    const result = await run(handle);
    if (result.taskId === undefined) return result;
    await begin();
    return result;
  } finally {
    drop();
  }
};
