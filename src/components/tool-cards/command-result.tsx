import type { ExecResult } from "@/contract/exec";
import { formatDuration } from "@/lib/format";
import { TerminalOutput } from "./terminal-output";

type CommandResultProps = {
  output: ExecResult;
  /** The output with its terminal codes, where it has some. */
  text?: string | undefined;
  /** What ran, or what was sent. */
  command: string | undefined;
  /** The output is the screen of a terminal. */
  isScreen: boolean;
};

/** Shows what a command has written so far, and whether and how it has ended. */
export const CommandResult = ({ output, text, command, isScreen }: CommandResultProps) => (
  <>
    <TerminalOutput
      command={command}
      text={text ?? output.output}
      isScreen={isScreen}
      isLive={false}
    />
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      <span>{describeStatus(output)}</span>
      {output.session_id !== undefined && <span>Session {output.session_id}</span>}
      <span>{formatDuration(output.duration_ms)}</span>
      {output.truncated === true && <span>A part of the output is not shown here.</span>}
    </p>
  </>
);

type Status = Pick<ExecResult, "status" | "exit_code" | "signal">;

export const describeStatus = ({ status, exit_code: code, signal }: Status): string => {
  switch (status) {
    case "running":
      return "Running in the background";
    case "exited":
      return code === undefined ? "Ended" : `Exit code ${code}`;
    case "killed":
      return signal === undefined ? "Killed" : `Killed by ${signal}`;
    case "timed_out":
      return "Killed at the time limit";
    case "unknown":
      return "Unknown since the server was restarted";
  }
};
