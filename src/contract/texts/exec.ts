import type { ExecRequest, ExecResult, ExecSession } from "@/contract/exec";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

const EXEC_COMMAND = {
  session_id: ["The id of the background command.", "s1"],
  status: ["How the command ended, or that it runs."],
  exit_code: ["The exit code; 0 for success.", 0],
  signal: ["The signal that ended the command.", "SIGKILL"],
  pty: ["True for a command with a terminal."],
  duration_ms: SHARED.duration_ms,
} as const satisfies Record<string, FieldText>;

export const EXEC_TEXTS = {
  ExecRequest: {
    action: [null],
    command: [null, "echo hello"],
    pty: [null],
    background: [null],
    report_on_exit: [null],
    timeout: [null, 60],
    env: [null, { LINES: "24" }],
    cwd: [null, "src"],
    session_id: [null, "s1"],
    data: [null],
    keys: [null, "echo hi enter"],
  } satisfies FieldTexts<ExecRequest>,
  ExecResult: {
    ...EXEC_COMMAND,
    task_id: SHARED.task_id,
    output: ["What the command wrote.", "hello\n"],
    truncated: ["True if a part of the output was left out."],
    artifact: ["The whole of an output that was cut."],
    sessions: ["The background commands of the chat."],
  } satisfies FieldTexts<ExecResult>,
  ExecSession: {
    ...EXEC_COMMAND,
    command: ["The command line.", "echo hello"],
  } satisfies FieldTexts<ExecSession>,
} satisfies SchemaTexts;
