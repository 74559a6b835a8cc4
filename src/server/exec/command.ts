import type { ExecStatus } from "@/contract/exec";
import type { CommandLimits, TreeLimits } from "@/server/exec/sandbox/limits";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { type ExceededLimit, watchTree } from "@/server/exec/sandbox/watch-tree";
import type { EnteredWorkspace } from "@/server/tools/workspace/workspace";
import { createOutputRing, type OutputRing } from "./output-ring";
import {
  type CommandEnd,
  type RunningCommand,
  type StartOptions,
  startPiped,
  startPty,
} from "./running-command";
import { createTerminal, type Terminal } from "./terminal";
import { clampSize, TERMINAL_SIZE, type TerminalSize } from "./terminal-messages";

/** Why the server ended a command. */
export type KillReason = { status: "killed" | "timed_out"; note?: string };

export type CommandState = {
  status: ExecStatus;
  exit_code?: number;
  signal?: string;
  duration_ms: number;
};

/** A command of the model, from its start until it is forgotten. */
export type Command = {
  text: string;
  pty: boolean;
  state: () => CommandState;
  /** Why the server ended it, as a sentence. */
  note: () => string | undefined;
  /** Whether it was ended on request, not by a limit. */
  isCancelled: () => boolean;
  /** Resolves when it has ended and its output is complete; rejects if it could not be started. */
  ended: Promise<void>;
  output: OutputRing;
  /** Of a command in a terminal. */
  screen: Terminal | undefined;
  /** @param listener called with each piece of output, and once without one at the end. */
  subscribe: (listener: (bytes: Buffer | undefined) => void) => () => void;
  write: RunningCommand["write"];
  isInputClosed: RunningCommand["isInputClosed"];
  unreadInput: RunningCommand["unreadInput"];
  /** Stops and continues reading its output, so that the command waits. */
  setPaused: RunningCommand["setPaused"];
  /** Kills all its processes; does nothing after its end. */
  kill: (reason: KillReason) => void;
  /** Frees, after the end, all output that was read. */
  keepUnread: () => void;
  /** What the output of an ended command takes, in bytes. */
  heldBytes: () => number;
  /** Frees the output of an ended command, read or not. */
  dropOutput: () => void;
};

export type CommandOptions = {
  text: string;
  pty: boolean;
  /** Whether data can be written to it. */
  hasInput: boolean;
  /** 0 for no limit. */
  timeoutSeconds: number;
  limits: CommandLimits;
  workspace: EnteredWorkspace;
  env: Readonly<Record<string, string>>;
};

const SHELL = "/bin/bash";

/** Starts a command in the sandbox. */
export const startCommand = (sandbox: Sandbox, options: CommandOptions): Command => {
  const { text, pty, timeoutSeconds, workspace } = options;
  const output = createOutputRing();
  const listeners = createListeners();
  const startedAt = performance.now();
  let end: EndedAt | undefined;
  let killed: KillReason | undefined;

  const { running, current, screen, launch } = launchCommand(sandbox, options, {
    onOutput: (bytes) => {
      output.write(bytes);
      screen?.write(bytes);
      listeners.emit(bytes);
    },
    // What the command leaves behind ends with it, and closes its output.
    onExit: () => endTree(),
  });
  const limits = { ...options.limits, workspaceBytes: workspace.maxBytes };
  const tree = watchTree({
    pid: running.pid,
    launch,
    ...toWatched(workspace),
    limits,
    onExceeded: (limit) => (killed ??= { status: "killed", note: EXCEEDED[limit](limits) }),
  });
  const endTree = (): void => void tree.end().catch(() => undefined);
  const kill = (reason: KillReason): void => {
    if (end) return;
    killed ??= reason;
    endTree();
  };
  const stopTimer = startTimer(timeoutSeconds, () => kill({ status: "timed_out" }));
  // Also of a command that could not be started.
  const left = running.ended.finally(() => {
    stopTimer();
    return tree.end();
  });
  const ended = left.then(async (how) => {
    await screen?.end();
    current.running = undefined;
    end = { ...how, at: performance.now() };
    listeners.end();
  });
  // A session's command is not awaited; its state says how it ended.
  ended.catch(() => undefined);

  return {
    text,
    pty,
    ended,
    output,
    screen,
    kill,
    ...toInput(current),
    ...toKeptOutput(output, screen),
    state: () => ({
      ...describeEnd(end, killed),
      duration_ms: Math.round((end?.at ?? performance.now()) - startedAt),
    }),
    note: () => killed?.note,
    isCancelled: () =>
      end !== undefined && killed?.status === "killed" && killed.note === undefined,
    subscribe: listeners.subscribe,
  };
};

const toWatched = ({ directory, measure, track }: EnteredWorkspace) => ({
  workspace: directory,
  measureWorkspace: measure,
  disk: track(),
});

/** What reaches the command while it runs. */
const toInput = (
  current: Current,
): Pick<Command, "write" | "isInputClosed" | "unreadInput" | "setPaused"> => ({
  write: (data) => current.running?.write(data),
  isInputClosed: () => current.running?.isInputClosed() ?? true,
  unreadInput: () => current.running?.unreadInput() ?? 0,
  setPaused: (isPaused) => current.running?.setPaused(isPaused),
});

const toKeptOutput = (
  output: OutputRing,
  screen: Terminal | undefined,
): Pick<Command, "keepUnread" | "heldBytes" | "dropOutput"> => ({
  keepUnread: () => {
    // The texts of the screen have all of it.
    if (screen && screen.failure() === undefined) output.drop();
    else output.finish();
  },
  heldBytes: () => output.heldBytes() + (screen?.heldBytes() ?? 0),
  dropOutput: () => {
    output.drop();
    screen?.drop();
  },
});

/** What a command writes, for those that subscribe; undefined is its end. */
const createListeners = () => {
  const listeners = new Set<(bytes: Buffer | undefined) => void>();
  const emit = (bytes: Buffer | undefined): void => {
    for (const listener of listeners) listener(bytes);
  };
  return {
    emit,
    end: (): void => {
      emit(undefined);
      listeners.clear();
    },
    subscribe: (listener: (bytes: Buffer | undefined) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

type EndedAt = CommandEnd & { at: number };

/** Emptied at the end of the command, as it has buffers. */
type Current = { running?: RunningCommand | undefined };

const launchCommand = (
  sandbox: Sandbox,
  { text, pty, hasInput, workspace, env }: CommandOptions,
  events: Pick<StartOptions, "onOutput" | "onExit">,
) => {
  const argv = [SHELL, "-c", text];
  const launch = sandbox.launch({ argv, workspace: workspace.directory, cwd: workspace.cwd, env });
  const size = toSize(env);
  const running = (pty ? startPty : startPiped)({ launch, hasInput, size, ...events });
  const current: Current = { running };
  const screen = pty ? createTerminal({ size, ...toTerminalEvents(current) }) : undefined;
  return { running, current, screen, launch };
};

/** Answers that a program has not read, in UTF-16 units, above which its terminal gives no more. */
const MAX_UNREAD_ANSWERS = 64 * 1024;

const toTerminalEvents = (current: Current) => ({
  onReply: (data: string): void => {
    const { running } = current;
    if (running && running.unreadInput() <= MAX_UNREAD_ANSWERS) running.write(data);
  },
  onFull: (isFull: boolean): void => current.running?.setPaused(isFull),
  onResize: (size: TerminalSize): void => current.running?.resize(size),
});

/** @param seconds 0 for no limit. @returns a function that stops the timer. */
const startTimer = (seconds: number, onTimeout: () => void): (() => void) => {
  const timer = seconds > 0 ? setTimeout(onTimeout, seconds * 1_000) : undefined;
  return () => clearTimeout(timer);
};

const describeEnd = (
  end: EndedAt | undefined,
  killed: KillReason | undefined,
): Omit<CommandState, "duration_ms"> => {
  if (!end) return { status: "running" };
  const { exitCode, signal } = end;
  if (killed) return { status: killed.status, signal: signal ?? "SIGKILL" };
  if (signal !== undefined) return { status: "killed", signal };
  return { status: "exited", ...(exitCode !== undefined && { exit_code: exitCode }) };
};

/** The size that the environment names, in the variables that programs read it from. */
const toSize = ({ COLUMNS, LINES }: Readonly<Record<string, string>>) =>
  clampSize({
    columns: Number(COLUMNS) || TERMINAL_SIZE.columns,
    rows: Number(LINES) || TERMINAL_SIZE.rows,
  });

const MEGABYTE = 1024 * 1024;

const EXCEEDED: Record<ExceededLimit, (limits: TreeLimits) => string> = {
  memory: ({ memoryBytes }) =>
    `The command used more than ${Math.floor(memoryBytes / MEGABYTE)} MB of memory, so the server ended it.`,
  processes: ({ processes }) =>
    `The command started more than ${processes} processes, so the server ended it.`,
  workspace: ({ workspaceBytes }) =>
    `The command filled the workspace, which may hold ${Math.floor(workspaceBytes / MEGABYTE)} MB, so the server ended it.`,
  workspaces: () =>
    "The command wrote while the files of all chats together hold as much as they may, so the server ended it. Delete chats that are no longer needed, or let the operator raise PARLEY_WORKSPACES_MAX_MB.",
};
