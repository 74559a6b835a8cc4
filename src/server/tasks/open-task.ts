import { setTimeout as sleep } from "node:timers/promises";
import { getErrorMessage } from "@/lib/error-message";
import type { TaskReport } from "@/server/db/chats/rows";
import type { TaskEnd } from "@/server/db/sql/machine/task-writes";
import { presentResult } from "@/server/tools/present-result";
import { settle, type ToolOutcome } from "@/server/tools/settle";
import type { OpenTask, TaskHandle } from "@/server/tools/task";
import type { CallDeps, ToolContext } from "@/server/tools/tool-context";
import { errorResult, ToolFailure, ToolResult } from "@/server/tools/tool-result";

/** How long a task may take to end by itself after its signal is aborted. */
const ABORT_GRACE_MS = 2_000;

type TaskOptions = Pick<CallDeps, "saveArtifact" | "maxOutputBytes"> & {
  id: string;
  call: ToolContext;
  controller: AbortController;
  /** Records that the task has begun. Rejects when it cannot. */
  begin: (end: Promise<TaskEnd>) => Promise<StartedTask>;
};

/** A task that is stored; `ended` resolves when its end is. */
export type StartedTask = { ended: Promise<void> };

/** The outcome of a task's work. */
type Completion = { result: ToolResult; isCancelled: boolean };

/** Opens a task: its first end counts, and passes what each result of a tool passes. */
export const openTask = (options: TaskOptions): OpenTask => {
  const { id, call, controller, begin, ...present } = options;
  const { promise: completion, resolve } = Promise.withResolvers<Completion>();
  const stored = Promise.withResolvers<undefined>();
  let isComplete = false;
  let hasStarted = false;
  const complete: TaskHandle["complete"] = (outcome, { isCancelled } = { isCancelled: false }) => {
    const completed = toResult(outcome).then((result) => ({ result, isCancelled }));
    if (isComplete) call.log.warn({ taskId: id }, "a task was completed twice");
    else resolve(completed);
    isComplete = true;
  };
  const toEnd = async (): Promise<TaskEnd> => {
    const ended = await Promise.race([completion, afterAbort(controller.signal)]);
    if (!ended || controller.signal.aborted) return unknownEnd();
    const presentation = { ...present, context: call, onTruncated: () => undefined };
    const presented = await presentResult(ended.result, presentation).catch((error: unknown) =>
      errorResult(`The task failed: ${getErrorMessage(error)}`),
    );
    const outcome = settle({ type: "returned", result: presented });
    if (ended.isCancelled) return { state: "cancelled", report: toReport(outcome) };
    return { state: outcome.isError ? "failed" : "completed", report: toReport(outcome) };
  };
  return {
    handle: Object.freeze({ id, signal: controller.signal, complete }),
    begin: async () => {
      const { ended } = await begin(toEnd());
      hasStarted = true;
      stored.resolve(ended.then(() => undefined));
    },
    drop: () => {
      if (hasStarted) return;
      controller.abort("dropped");
      stored.resolve(undefined);
    },
    ended: stored.promise,
  };
};

/** Resolves when a task that ignores its signal has had its time. */
const afterAbort = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    const wait = (): void => {
      sleep(ABORT_GRACE_MS, undefined, { ref: false }).then(resolve, resolve);
    };
    if (signal.aborted) wait();
    else signal.addEventListener("abort", wait, { once: true });
  });

/** What a task has returned; a throw is a failure that the model may read. */
const toResult = async (
  outcome: ToolResult<unknown> | Promise<ToolResult<unknown>>,
): Promise<ToolResult> => {
  try {
    const result = ToolResult.safeParse(await outcome);
    return result.success ? result.data : errorResult("The task failed: it returned no result.");
  } catch (error) {
    const message = getErrorMessage(error).replace(/\.$/, "");
    return errorResult(error instanceof ToolFailure ? message : `The task failed: ${message}.`);
  }
};

const toReport = ({ output, forUser, artifacts }: ToolOutcome): TaskReport => ({
  output,
  for_user: forUser,
  artifacts: artifacts ?? [],
});

/** The end of a task whose process is gone: it may have taken effect. */
export const unknownEnd = (): TaskEnd => ({
  state: "unknown",
  report: toReport(settle({ type: "closed", reason: "server_stopped" })),
});
