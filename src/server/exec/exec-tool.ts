import { DEFAULT_EXEC_SECONDS, ExecRequest, ExecResult } from "@/contract/exec";
import type { CommandBudget, CommandRequest } from "@/server/exec/budget/command-budget";
import type { OfferedSandbox } from "@/server/exec/sandbox/app-sandbox";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { defineTool } from "@/server/tools/tool";
import type { ToolContext } from "@/server/tools/tool-context";
import { ToolFailure, type ToolResult } from "@/server/tools/tool-result";
import type { WorkspaceDeps } from "@/server/tools/workspace/workspace";
import { type Command, type CommandOptions, startCommand } from "./command";
import { createCommandEnvironment } from "./command-environment";
import type { ExecSessions } from "./exec-sessions";
import { normalizeArgs } from "./normalize-args";
import { runForeground } from "./run-foreground";
import { startBackground } from "./start-background";
import { actOnSession, isSessionRequest, type SessionDeps } from "./session-actions";

export type ExecDeps = WorkspaceDeps &
  Omit<SessionDeps, "sessions"> & {
    /** What commands run in, or the sentence why this process cannot run any. */
    sandbox: OfferedSandbox | { unavailable: string };
    budget: CommandBudget;
    /** Undefined where tools are listed only. */
    sessions: ExecSessions | undefined;
  };

/** What changes something, so that a person decides on it where no sandbox shields the server. */
const RISKY_ACTIONS: ReadonlySet<ExecRequest["action"]> = new Set(["run", "write", "send_keys"]);

export const createExecTool = (deps: ExecDeps) => {
  const { sandbox, sessions } = deps;
  const isUnprotected = "kind" in sandbox && sandbox.kind === "none";
  return defineTool({
    name: "exec",
    description: `Runs a command in this chat's workspace and shows its output. A sandbox shields the rest of the server: only the workspace and /tmp can be written, and there is no network. A command that takes longer than ${DEFAULT_EXEC_SECONDS} seconds needs a timeout. For programs that wait for input or go on, use background, and pty if they need a terminal; their session ends after 30 minutes without use, unless it is to report its end.`,
    example: { action: "run", command: "ls -l" },
    output: ExecResult,
    input: ExecRequest,
    normalizeArgs,
    unavailable: "unavailable" in sandbox ? sandbox.unavailable : undefined,
    notice: () => ("unavailable" in sandbox ? undefined : sandbox.notice),
    needsApproval: ({ action }) => isUnprotected && RISKY_ACTIONS.has(action),
    approvalScope: toApprovalScope,
    // Without a sandbox, a command can do all that the server can, and files that the model writes without an approval
    // decide what the same words do, such as `.git/config`. So a person reads each of them.
    asksEachTime: isUnprotected,
    approvalPattern: "kind" in sandbox && !isUnprotected ? "command" : undefined,
    run: async (context, request): Promise<ToolResult<ExecResult>> => {
      if ("unavailable" in sandbox) throw new ToolFailure(sandbox.unavailable);
      if (!sessions) throw new Error("this part of the server only lists tools");
      if (isSessionRequest(request)) return actOnSession({ ...deps, sessions }, context, request);
      const options = await prepareCommand({ ...deps, sandbox }, context, request);
      return deps.budget.run(toCommandRequest(context, request), async (keepUntil) => {
        const start = (): Command => {
          const command = startCommand(sandbox, options);
          keepUntil(command.ended);
          return command;
        };
        if (request.background !== true) return runForeground(deps, context, start);
        const shouldReport = request.report_on_exit === true;
        const { text } = options;
        return startBackground({ ...deps, sessions }, context, { start, text, shouldReport });
      });
    },
  });
};

/** A command in the background counts as one that lasts, as its timeout can be hours. */
const toCommandRequest = (
  { userId, rootChatId, signal, emit }: ToolContext,
  { background = false }: ExecRequest,
): CommandRequest => ({
  owner: { userId, chatId: rootChatId },
  isLasting: background,
  signal,
  // Only people see what is shown live.
  onWait: (notice) => emit({ type: "append", text: `${notice}\n` }),
});

/** The same command in the same place; of what is sent to a session, the same text to the same session. */
const toApprovalScope = (request: ExecRequest) => {
  const { action, command = "", cwd = "", env = {}, pty = false, background = false } = request;
  if (action === "run") return { command, cwd, env, pty, background };
  const { session_id: sessionId = "", data = "", keys = "" } = request;
  return { action, session_id: sessionId, data, keys };
};

/** @throws {ToolFailure} for what no command can be started with. */
const prepareCommand = async (
  {
    sandbox,
    budget,
    openWorkspace,
  }: Pick<ExecDeps, "budget" | "openWorkspace"> & {
    sandbox: Sandbox;
  },
  context: ToolContext,
  request: ExecRequest,
): Promise<CommandOptions> => {
  requireRunnable(request);
  const { command = "", pty = false, background = false, cwd = "", env = {} } = request;
  const timeoutSeconds = request.timeout ?? DEFAULT_EXEC_SECONDS;
  const workspace = await openWorkspace(context).enter(cwd);
  await sandbox.prepareWorkspace(workspace.directory);
  const home = sandbox.homePath(workspace.directory);
  return {
    text: command,
    pty,
    hasInput: background,
    timeoutSeconds,
    limits: budget.limits,
    workspace,
    env: createCommandEnvironment({ sandbox, home, pty, added: env }),
  };
};

const requireRunnable = (request: ExecRequest): void => {
  const { command = "", background = false, timeout, report_on_exit: shouldReport } = request;
  if (command.trim() === "") throw new ToolFailure('The action "run" needs a command.');
  if (command.includes("\0")) throw new ToolFailure("A command must not contain NUL characters.");
  if (background) return;
  if (timeout === 0) throw new ToolFailure("Only a background command may run without a timeout.");
  if (shouldReport === true) {
    throw new ToolFailure("Only a background command reports its end: set background, too.");
  }
};
