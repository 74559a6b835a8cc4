import type { ExecResult } from "@/contract/exec";
import type { ToolContext } from "@/server/tools/tool-context";
import { jsonResult, type ToolResult, withTask } from "@/server/tools/tool-result";
import { runWithTask, type TaskHandle } from "@/server/tools/task";
import type { Command } from "./command";
import { peekLastOutput, presentOutput } from "./read-output";
import type { SessionDeps } from "./session-actions";

/** What is shown of a command in one line, in code points. */
const MAX_LABEL_LENGTH = 80;

type Background = {
  /** The command line. */
  text: string;
  start: () => Command;
  /** Whether the end of the command enters the chat. */
  shouldReport: boolean;
};

/** Starts a command that goes on after its call, as a session and as a task. */
export const startBackground = (
  deps: Pick<SessionDeps, "saveArtifact" | "sessions">,
  context: ToolContext,
  { text, start, shouldReport }: Background,
): Promise<ToolResult<ExecResult>> => {
  const task = context.openTask({ kind: "command", label: toLabel(text), shouldReport });
  const { id: taskId } = task.handle;
  return runWithTask(task, async (handle) => {
    const { id, command } = await deps.sessions.add(context.chatId, start, {
      id: taskId,
      shouldReport,
      ended: task.ended,
    });
    const report = async (): Promise<ToolResult<ExecResult>> => {
      if (!shouldReport) return jsonResult({ session_id: id, output: "", ...command.state() });
      const read = await peekLastOutput(command);
      return presentOutput({ ...deps, context }, { command, read, sessionId: id });
    };
    completeAtEnd(command, handle, report);
    const started: ExecResult = { session_id: id, task_id: taskId, output: "", ...command.state() };
    return withTask(jsonResult(started), taskId);
  });
};

/** Ends the task with its command, and the command with its task. */
const completeAtEnd = (
  command: Command,
  { signal, complete }: TaskHandle,
  report: () => Promise<ToolResult<ExecResult>>,
): void => {
  const onAbort = (): void => command.kill({ status: "killed" });
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const end = command.ended.then(async () => {
    const result = await report();
    const { status, exit_code: code } = command.state();
    return { ...result, isError: status !== "exited" || code !== 0 };
  });
  command.ended
    .finally(() => complete(end, { isCancelled: command.isCancelled() }))
    .catch(() => undefined);
};

const toLabel = (text: string): string => {
  const codePoints = Array.from(text.trim().replace(/\s+/g, " "));
  return codePoints.length <= MAX_LABEL_LENGTH
    ? codePoints.join("")
    : `${codePoints.slice(0, MAX_LABEL_LENGTH - 1).join("")}…`;
};
