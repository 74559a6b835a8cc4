import type { ToolResult } from "@/server/tools/tool-result";

/** What a tool gets for work that goes on after its call. */
export type TaskHandle = Readonly<{
  id: string;
  /** Aborted when a person or the model cancels the task, when its chat is deleted, and when the server stops. */
  signal: AbortSignal;
  /** Ends the task. The first end counts, later ones are ignored; a promise that rejects is a failure. Does not throw. */
  complete: (result: ToolResult<unknown> | Promise<ToolResult<unknown>>) => void;
}>;

/** A task that has not begun. */
export type OpenTask = {
  handle: TaskHandle;
  /** Records that it has begun: its report comes after this. Rejects when it cannot. */
  begin: () => Promise<void>;
  /** Ends it without a trace. */
  drop: () => void;
};

/** Runs a call that may leave a task behind: it does when it returns an `asyncResult`. */
export const runWithTask = async (
  { handle, begin, drop }: OpenTask,
  run: (task: TaskHandle) => Promise<ToolResult<unknown>>,
): Promise<ToolResult<unknown>> => {
  try {
    const result = await run(handle);
    if (!result.isAsync) return result;
    await begin();
    return result;
  } finally {
    drop();
  }
};
