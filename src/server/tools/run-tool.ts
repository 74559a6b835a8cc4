import { errorText } from "@/lib/error-text";
import { dynamicToolBug } from "./dynamic-tools";
import { presentResult } from "./present-result";
import { type PreparedCall, type RequestedCall, prepareCall } from "./prepare-call";
import { type ToolOutcome, settle } from "./settle";
import { type CallSeams, type ToolContext, openToolContext } from "./tool-context";
import { ToolFailure } from "./tool-failure";
import { ToolResult, errorResult, withError } from "./tool-result";
import type { Toolbox } from "./toolbox";

/** How long a tool may take to come to an end of its own after an abort. */
const ABORT_GRACE_MS = 2_000;

export type ToolCall = RequestedCall & {
  toolCallId: string;
  /** A person said yes to this call. */
  approved: boolean;
};

/** Runs one call to its outcome. Never rejects: whatever goes wrong is an outcome. */
export const runTool = async (
  call: ToolCall,
  toolbox: Toolbox,
  seams: CallSeams,
): Promise<ToolOutcome> => {
  const prepared = prepareCall(call, toolbox);
  switch (prepared.type) {
    case "refused":
      return prepared.outcome;
    case "dynamic":
      seams.log.error({ tool: call.toolName }, "dynamic tool reached the worker");
      return settle({ type: "refused", message: dynamicToolBug(call.toolName) });
    case "run":
      return prepared.call.needsApproval && !call.approved
        ? settle({
            type: "refused",
            message: `"${call.toolName}" was not run: nobody approved it.`,
          })
        : runPrepared(prepared, call, seams);
  }
};

const runPrepared = async (
  { call, tool }: Extract<PreparedCall, { type: "run" }>,
  { toolCallId }: ToolCall,
  seams: CallSeams,
): Promise<ToolOutcome> => {
  const { context, close } = openToolContext(seams, toolCallId);
  try {
    const run = async () => call.run(context);
    const result = ToolResult.safeParse(await endWithAbort(run(), seams.signal));
    if (!result.success) throw new TypeError("it returned no result");
    return await present(result.data, context, seams.maxOutputBytes);
  } catch (error) {
    if (seams.signal.aborted) return settle({ type: "closed", reason: "interrupted" });
    return present(failureOf(error, tool.name), context, seams.maxOutputBytes);
  } finally {
    close();
  }
};

const present = async (
  result: ToolResult,
  context: ToolContext,
  maxBytes: number,
): Promise<ToolOutcome> => {
  if (result.error !== undefined) {
    context.log.error({ err: result.error, toolCallId: context.toolCallId }, "tool failed");
  }
  return settle({
    type: "returned",
    result: await presentResult(result, { ...context, maxBytes }),
  });
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
