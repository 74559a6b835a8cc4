import { errorText } from "@/lib/error-text";
import { dynamicToolBug } from "./dynamic-tools";
import { presentResult } from "./present-result";
import type { PreparedCall } from "./prepare-call";
import { type ToolOutcome, settle } from "./settle";
import { type CallDeps, type ToolContext, openToolContext } from "./tool-context";
import { ToolFailure } from "./tool-failure";
import { ToolResult, errorResult, withError } from "./tool-result";

/** How long a tool may take to come to an end of its own after an abort. */
const ABORT_GRACE_MS = 2_000;

/** Runs a prepared call to its outcome. Never rejects: whatever goes wrong is an outcome. */
export const runTool = async (
  toolCallId: string,
  prepared: PreparedCall,
  deps: CallDeps,
): Promise<ToolOutcome> => {
  switch (prepared.type) {
    case "refused":
      return prepared.outcome;
    case "dynamic":
      deps.step.log.error({ tool: prepared.toolName }, "dynamic tool reached the worker");
      return settle({ type: "refused", message: dynamicToolBug(prepared.toolName) });
    case "run":
      return prepared.needsApproval
        ? settle({
            type: "refused",
            message: `"${prepared.toolName}" was not run: nobody approved it.`,
          })
        : runPrepared(toolCallId, prepared, deps);
  }
};

const runPrepared = async (
  toolCallId: string,
  { run, toolName }: Extract<PreparedCall, { type: "run" }>,
  deps: CallDeps,
): Promise<ToolOutcome> => {
  const { context, close } = openToolContext(deps, toolCallId);
  try {
    // A throw before the tool's first await becomes a rejection.
    const running = (async () => run(context))();
    const result = ToolResult.safeParse(await endWithAbort(running, deps.step.signal));
    if (!result.success) throw new TypeError("it returned no result");
    return await present(result.data, context, deps);
  } catch (error) {
    if (deps.step.signal.aborted) return settle({ type: "closed", reason: "interrupted" });
    return present(failureOf(error, toolName), context, deps);
  } finally {
    close();
  }
};

const present = async (
  result: ToolResult,
  context: ToolContext,
  deps: CallDeps,
): Promise<ToolOutcome> => {
  if (result.error !== undefined) {
    context.log.error({ err: result.error, toolCallId: context.toolCallId }, "tool failed");
  }
  return settle({ type: "returned", result: await presentResult(result, { ...deps, context }) });
};

const failureOf = (error: unknown, name: string): ToolResult =>
  error instanceof ToolFailure
    ? errorResult(error.message)
    : withError(errorResult(`The tool "${name}" crashed: ${crashText(error)}.`), error);

/** The file system's own messages tell where on the host the data directory is. */
const crashText = (error: unknown): string =>
  error instanceof Error && "syscall" in error && "code" in error
    ? String(error.code)
    : errorText(error).replace(/\.$/, "");

/** Rejects some time after an abort for a tool that does not listen to its signal. */
const endWithAbort = async <Result>(
  running: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> => {
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => reject(new Error("aborted")), ABORT_GRACE_MS);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([running, overdue]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(timer);
  }
};
