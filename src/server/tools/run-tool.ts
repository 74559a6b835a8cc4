import { getErrorMessage } from "@/lib/error-message";
import { cutAndMask } from "@/server/mask-secrets";
import { dynamicToolBugMessage } from "./dynamic-tools";
import { presentResult } from "./present-result";
import type { PreparedCall } from "./prepare-call";
import { type ToolOutcome, closedOutcome, settle } from "./settle";
import { type CallDeps, type ToolContext, createToolContext } from "./tool-context";
import { CallCancelled, ToolFailure, ToolResult, errorResult, withError } from "./tool-result";

/** How long a tool may take to end by itself after an abort. */
const ABORT_GRACE_MS = 2_000;

/** Runs a prepared call to its outcome. Never rejects: every failure is an outcome. */
export const runTool = async (
  toolCallId: string,
  prepared: PreparedCall,
  deps: CallDeps,
): Promise<ToolOutcome> => {
  switch (prepared.type) {
    case "refused":
      return prepared.outcome;
    case "wait":
      deps.step.log.error({ tool: prepared.toolName }, "dynamic tool reached the worker");
      return settle({ type: "refused", message: dynamicToolBugMessage(prepared.toolName) });
    case "run":
      return prepared.needsApproval
        ? settle({
            type: "refused",
            message: `"${prepared.toolName}" was not run: it was not approved.`,
          })
        : runPrepared(toolCallId, prepared, deps);
  }
};

const runPrepared = async (
  toolCallId: string,
  { run, toolName }: Extract<PreparedCall, { type: "run" }>,
  deps: CallDeps,
): Promise<ToolOutcome> => {
  const { context, close } = createToolContext(deps, toolCallId);
  try {
    // A throw before the tool's first await becomes a rejection.
    const running = (async () => run(context))();
    const result = ToolResult.safeParse(await rejectAfterAbort(running, deps.step.signal));
    if (!result.success) throw new TypeError("it returned no result");
    return await present(result.data, context, deps);
  } catch (error) {
    if (deps.step.signal.aborted) return settleInterrupted(error, deps);
    return present(toFailureResult(error, toolName), context, deps);
  } finally {
    close();
  }
};

const settleInterrupted = (
  error: unknown,
  { maxOutputBytes: maxBytes }: Pick<CallDeps, "maxOutputBytes">,
): ToolOutcome => {
  const outcome = closedOutcome("interrupted");
  if (!(error instanceof CallCancelled) || error.message === "") return outcome;
  const marker = (bytes: number): string => `\n[… ${bytes} bytes left out …]\n`;
  const text = cutAndMask(error.message.toWellFormed(), { maxBytes, marker });
  return { ...outcome, output: `${outcome.output}\n${text}`, silent: error.silent };
};

const present = async (
  result: ToolResult,
  context: ToolContext,
  deps: CallDeps,
): Promise<ToolOutcome> => {
  if (result.error !== undefined) {
    const fields = { err: result.error, toolCallId: context.toolCallId };
    if (result.isError) context.log.error(fields, "tool failed");
    else context.log.warn(fields, "tool succeeded with an error");
  }
  return settle({ type: "returned", result: await presentResult(result, { ...deps, context }) });
};

const toFailureResult = (error: unknown, name: string): ToolResult =>
  error instanceof ToolFailure
    ? errorResult(error.message)
    : withError(errorResult(`The tool "${name}" crashed: ${describeCrash(error)}.`), error);

/** Messages of the file system contain paths of the host, so only their code is shown. */
const describeCrash = (error: unknown): string =>
  error instanceof Error && "syscall" in error && "code" in error
    ? String(error.code)
    : getErrorMessage(error).replace(/\.$/, "");

/** Rejects `ABORT_GRACE_MS` after an abort, for a tool that ignores its signal. */
const rejectAfterAbort = async <Result>(
  running: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> => {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => reject(new Error("aborted")), ABORT_GRACE_MS);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([running, expired]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(timer);
  }
};
