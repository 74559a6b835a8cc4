import type { ExecResult } from "@/contract/exec";
import type { SaveArtifact, ToolContext } from "@/server/tools/tool-context";
import { CallCancelled, describeWritten, type ToolResult } from "@/server/tools/tool-result";
import type { Command } from "./command";
import { showLive } from "./live-output";
import { presentOutput, readNewOutput, toPlainOutput } from "./read-output";
import { createWholeOutput } from "./whole-output";

/** Runs a command to its end, with its output live. */
export const runForeground = async (
  deps: { saveArtifact: SaveArtifact },
  context: ToolContext,
  start: () => Command,
): Promise<ToolResult<ExecResult>> => {
  const { signal, emit, log, toolCallId } = context;
  const command = start();
  const onError = (error: unknown): void => {
    log.error({ err: error, toolCallId }, "the file of an output could not be written");
  };
  const whole = command.pty ? undefined : createWholeOutput({ command, onError });
  const stopShowing = showLive({ command, emit });
  const onAbort = (): void => command.kill({ status: "killed" });
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await command.ended;
    const read = whole ? { bytes: await whole.read() } : await readNewOutput(command);
    if (signal.aborted) throw new CallCancelled(describeWritten(toPlainOutput(read)));
    return await presentOutput({ ...deps, context }, { command, read });
  } finally {
    signal.removeEventListener("abort", onAbort);
    stopShowing();
    await whole?.close();
  }
};
