import * as z from "zod";
import { Artifact } from "./part";

/** How long a command may run unless its call says otherwise. */
export const DEFAULT_EXEC_SECONDS = 60;
/** Longest time of a command: four hours. */
export const MAX_EXEC_SECONDS = 4 * 60 * 60;
/** Longest command; longer scripts belong in a file of the workspace. In UTF-16 units. */
const MAX_COMMAND_LENGTH = 64 * 1024;
/** Most text that one call writes to a command, in UTF-16 units. */
const MAX_DATA_LENGTH = 64 * 1024;
/** Most keys of one call. */
const MAX_KEYS = 200;

/** Arguments of the tool `exec`. Which of them an action needs is checked when it runs. */
export const ExecRequest = z
  .object({
    action: z
      .enum(["run", "list", "poll", "read", "write", "send_keys", "kill"])
      .describe(
        "run starts a command. The others are about background sessions: list shows them, poll waits for output or the end, read returns what is new, write sends data to the input, send_keys presses keys in a PTY, kill ends the session.",
      ),
    command: z
      .string()
      .max(MAX_COMMAND_LENGTH)
      .optional()
      .describe("For run: a command line for the shell."),
    pty: z
      .boolean()
      .optional()
      .describe("For run: give the command a terminal, which interactive programs need."),
    background: z
      .boolean()
      .optional()
      .describe("For run: return at once with a session_id while the command goes on."),
    report_on_exit: z
      .boolean()
      .optional()
      .describe(
        "For run in the background: report the end of the command to you by itself, in a new turn if the chat rests by then, so that you need not poll.",
      ),
    timeout: z
      .number()
      .min(0)
      .max(MAX_EXEC_SECONDS)
      .optional()
      .describe(
        `Seconds. For run: after them the command and all that it started is killed; ${DEFAULT_EXEC_SECONDS} when left out, 0 for no limit in the background. For poll: the longest wait.`,
      ),
    env: z
      .record(z.string(), z.string())
      .optional()
      .describe("For run: more environment variables. COLUMNS and LINES set the size of a PTY."),
    cwd: z
      .string()
      .optional()
      .describe("For run: a directory relative to the workspace, which is the default."),
    session_id: z.string().optional().describe("For all actions but run and list."),
    data: z
      .string()
      .max(MAX_DATA_LENGTH)
      .optional()
      .describe("For write: the text; end it with a line break if the command reads lines."),
    keys: z
      .union([z.string().max(MAX_DATA_LENGTH), z.array(z.string()).max(MAX_KEYS)])
      .optional()
      .describe(
        'For send_keys: names of keys such as enter, tab, escape, up, pageup, f1, ctrl-c, alt-x, with text between, as in "echo hi enter" or ["echo hi", "enter"].',
      ),
  })
  .meta({ id: "ExecRequest" });
export type ExecRequest = z.infer<typeof ExecRequest>;

/** `unknown`: its server process is gone, and so is the command. */
export const ExecStatus = z.enum(["running", "exited", "killed", "timed_out", "unknown"]);
export type ExecStatus = z.infer<typeof ExecStatus>;

/** A background command of the chat, as `list` shows it. */
export const ExecSession = z
  .object({
    session_id: z.string(),
    command: z.string(),
    pty: z.boolean(),
    status: ExecStatus,
    exit_code: z.int().optional(),
    signal: z.string().optional(),
    /** How long it has been running, or ran. */
    duration_ms: z.int(),
  })
  .meta({ id: "ExecSession" });
export type ExecSession = z.infer<typeof ExecSession>;

/** The outcome of a call of `exec`. A non-zero exit and a timeout are outcomes, not failures of the call. */
export const ExecResult = z
  .object({
    session_id: z.string().optional(),
    /** The task that a command in the background is. */
    task_id: z.uuid().optional(),
    /** Of `list`: `running` while a session is, else `exited`. */
    status: ExecStatus,
    exit_code: z.int().optional(),
    /** The signal that ended the command, such as `SIGKILL`. */
    signal: z.string().optional(),
    /** Standard output and error in the order of writing; of a PTY, new lines and the screen. Without terminal codes, which `for_user` has. */
    output: z.string(),
    /** The command has a terminal, and the output ends with its screen. */
    pty: z.boolean().optional(),
    /** A part of the output was left out of `output`, which says how much. */
    truncated: z.boolean().optional(),
    /** How long the command has been running, or ran. */
    duration_ms: z.int(),
    /** The whole of an output that was cut. */
    artifact: Artifact.optional(),
    sessions: z.array(ExecSession).optional(),
  })
  .meta({ id: "ExecResult" });
export type ExecResult = z.infer<typeof ExecResult>;
