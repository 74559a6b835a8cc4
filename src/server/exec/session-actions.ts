import { ExecRequest, type ExecResult, type ExecSession } from "@/contract/exec";
import type { JsonValue } from "@/contract/json";
import type { SaveArtifact, ToolContext } from "@/server/tools/tool-context";
import {
  jsonResult,
  ToolFailure,
  type ToolResult,
  withReportedTask,
} from "@/server/tools/tool-result";
import type { Command, CommandState } from "./command";
import type { ExecSession as Session, ExecSessions } from "./exec-sessions";
import { showLive } from "./live-output";
import { normalizeArgs } from "./normalize-args";
import { presentOutput, readNewOutput } from "./read-output";
import { encodeKeys } from "./terminal-keys";
import { waitForAbort, waitForEvent, waitForReaction } from "./wait-for-output";

/** A session that a call of the chat's history has started. */
/** The arguments of the call that started it are as the model wrote them. */
export type StartedSession = { sessionId: string; args: JsonValue };

export type SessionDeps = {
  saveArtifact: SaveArtifact;
  sessions: ExecSessions;
  /**
   * Lists the sessions that a chat has started, also before this process began, the newest first. Rejects when the
   * database is away.
   */
  listStartedSessions: (chatId: string) => Promise<StartedSession[]>;
};

/** How long `poll` waits unless its call says otherwise. */
const DEFAULT_POLL_SECONDS = 30;
/** A model that waits longer than this has the person wait for nothing. */
const MAX_POLL_SECONDS = 300;
/** Input that a command has not read, in UTF-16 units, above which nothing more is written. */
const MAX_UNREAD_INPUT = 256 * 1024;

type SessionRequest = ExecRequest & { action: Exclude<ExecRequest["action"], "run"> };

export const isSessionRequest = (request: ExecRequest): request is SessionRequest =>
  request.action !== "run";

/** Does what a request wants of the chat's sessions. Rejects with a `ToolFailure` that says what is wrong. */
export const actOnSession = async (
  deps: SessionDeps,
  context: ToolContext,
  request: SessionRequest,
): Promise<ToolResult<ExecResult>> => {
  if (request.action === "list") return listSessions(deps, context);
  const id = request.session_id;
  if (id === undefined) throw new ToolFailure(`The action "${request.action}" needs a session_id.`);
  const session = deps.sessions.use(context.chatId, id);
  if (!session) return describeLost(deps, context, { id, action: request.action });
  const { command } = session;
  switch (request.action) {
    case "read":
      break;
    case "poll":
      await poll(command, context, request.timeout);
      break;
    case "write":
      requireRunning(session);
      await writeData(session, request.data, context.signal);
      break;
    case "send_keys":
      requireRunning(session);
      await sendKeys(session, request.keys);
      await waitForReaction(command, context.signal);
      break;
    case "kill":
      requireRunning(session);
      command.kill({ status: "killed" });
      await command.ended;
      break;
  }
  // What has ended before it is read is read to its end.
  const hasEnded = command.state().status !== "running";
  const read = await readNewOutput(command);
  const presented = await presentOutput(
    { saveArtifact: deps.saveArtifact, context },
    { command, read, sessionId: id },
  );
  return hasEnded ? reportEnd(session, presented, context.signal) : presented;
};

/** Marks a result that reports the end of a command, which then needs no report. */
const reportEnd = async (
  { task }: Session,
  result: ToolResult<ExecResult>,
  signal: AbortSignal,
): Promise<ToolResult<ExecResult>> => {
  if (task?.shouldReport !== true) return result;
  // The statement that stores the result looks for the end of the task.
  await Promise.race([task.ended, waitForAbort(signal)]);
  return withReportedTask(result, task.id);
};

const poll = async (
  command: Command,
  { signal, emit }: ToolContext,
  seconds = DEFAULT_POLL_SECONDS,
): Promise<void> => {
  if (command.output.hasUnread()) return;
  const stopShowing = showLive({ command, emit });
  try {
    await waitForEvent(command, Math.min(seconds, MAX_POLL_SECONDS) * 1_000, signal);
  } finally {
    stopShowing();
  }
};

const writeData = async (
  { id, command }: Session,
  data: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  if (data === undefined) throw new ToolFailure('The action "write" needs data.');
  requireReading({ id, command });
  if (!command.isInputClosed()) {
    command.write(data);
    await waitForReaction(command, signal);
  }
  // A command that ended meanwhile may have read it.
  if (command.isInputClosed() && command.state().status === "running") {
    throw new ToolFailure(`The input of the session "${id}" is closed: nothing was written.`);
  }
};

const requireReading = ({ id, command }: Session): void => {
  if (command.unreadInput() <= MAX_UNREAD_INPUT) return;
  throw new ToolFailure(`The session "${id}" does not read its input: nothing was written.`);
};

const sendKeys = async (
  { id, command }: Session,
  keys: string | readonly string[] | undefined,
): Promise<void> => {
  if (keys === undefined) throw new ToolFailure('The action "send_keys" needs keys.');
  if (!command.screen) {
    throw new ToolFailure(
      `The session "${id}" has no terminal: use "write", or start the command with pty.`,
    );
  }
  requireReading({ id, command });
  await command.screen.drawn();
  const modes = { applicationCursorKeys: command.screen.applicationCursorKeys() };
  command.write(encodeKeys(keys, modes));
};

const requireRunning = ({ id, command }: Session): void => {
  const state = command.state();
  if (state.status === "running") return;
  throw new ToolFailure(`The session "${id}" has ended: ${describeEnd(state)}.`);
};

const describeEnd = ({ status, exit_code: code, signal }: CommandState): string => {
  if (status === "timed_out") return "it was killed at its timeout";
  return code === undefined
    ? `it was killed by ${signal ?? "a signal"}`
    : `it exited with code ${code}`;
};

const listSessions = async (
  { sessions, listStartedSessions }: SessionDeps,
  { chatId }: ToolContext,
): Promise<ToolResult<ExecResult>> => {
  const known = sessions.list(chatId);
  const ids = new Set(known.map(({ id }) => id));
  const lost = (await listStartedSessions(chatId)).filter(({ sessionId }) => !ids.has(sessionId));
  const shown = [...known.map(describeSession), ...lost.map(describeLostSession)];
  return jsonResult({
    status: shown.some(({ status }) => status === "running") ? "running" : "exited",
    output: "",
    duration_ms: 0,
    sessions: shown,
  });
};

const describeSession = ({ id, command }: Session): ExecSession => ({
  session_id: id,
  command: command.text,
  pty: command.pty,
  ...command.state(),
});

const describeLostSession = ({ sessionId, args }: StartedSession): ExecSession => {
  const request = ExecRequest.pick({ command: true, pty: true }).safeParse(normalizeArgs(args));
  const { command = "", pty = false } = request.data ?? {};
  return { session_id: sessionId, command, pty, status: "unknown", duration_ms: 0 };
};

const LOST =
  "Nothing is known of this session any more: the server was restarted since, or the session ended long ago. Its command does not run any more, and is not run again by itself.";

/** A session of another chat and one that never was are the same to the caller. */
const describeLost = async (
  { listStartedSessions }: SessionDeps,
  { chatId }: ToolContext,
  { id, action }: { id: string; action: SessionRequest["action"] },
): Promise<ToolResult<ExecResult>> => {
  const started = await listStartedSessions(chatId);
  if (!started.some(({ sessionId }) => sessionId === id)) {
    throw new ToolFailure(
      `This chat has no session ${JSON.stringify(id)}: "list" shows those that it has.`,
    );
  }
  if (action !== "read" && action !== "poll") {
    throw new ToolFailure(`The session "${id}" has ended. ${LOST}`);
  }
  return jsonResult({ session_id: id, status: "unknown", output: LOST, duration_ms: 0 });
};
