import type { ExecResult } from "@/contract/exec";
import type { Artifact } from "@/contract/part";
import { type ByteSource, toByteSource } from "@/lib/byte-source";
import type { SaveArtifact, ToolContext } from "@/server/tools/tool-context";
import { jsonResult, type ToolResult, withTruncation } from "@/server/tools/tool-result";
import type { Command, CommandState } from "./command";
import { cutOutput } from "./cut-output";
import { maskBytes } from "@/server/mask-secrets";
import { explainMissingProgram } from "./missing-program";
import type { NewOutput } from "./output-ring";
import type { ScreenText } from "./terminal-messages";
import { stripTerminalCodes } from "./strip-terminal-codes";

/** Output as it was read, without secrets, before it is cut for the model. */
export type ReadOutput = {
  bytes: ByteSource;
  /** How much before it is no longer kept, such as "12 bytes". */
  dropped?: string | undefined;
  /** Why it is not the screen of a terminal, as a sentence. */
  problem?: string | undefined;
};

/**
 * Reads what is new since the last read; of a terminal, the lines that are new and the screen, or the output as it came
 * if the screen could not be drawn.
 */
export const readNewOutput = async ({ output, screen, state }: Command): Promise<ReadOutput> => {
  const until = output.total();
  const read = await screen?.readNew();
  if (!read) {
    const raw = await toReadOutput(output.readNew({ isComplete: state().status !== "running" }));
    return { ...raw, problem: screen?.failure() };
  }
  output.skip(until);
  return toReadScreen(read);
};

/** Reads what an ended command has written since the last read, and leaves it unread; of a terminal, the screen. */
export const peekLastOutput = async ({ output, screen }: Command): Promise<ReadOutput> => {
  const read = await screen?.readScreen();
  if (read) return toReadScreen(read);
  return { ...(await toReadOutput(output.peekNew())), problem: screen?.failure() };
};

const toReadScreen = async ({ text, droppedLines }: ScreenText): Promise<ReadOutput> => ({
  bytes: toByteSource(await maskBytes(Buffer.from(text))),
  dropped: droppedLines > 0 ? `${droppedLines} lines` : undefined,
});

const toReadOutput = async ({ bytes, dropped }: NewOutput): Promise<ReadOutput> => ({
  bytes: toByteSource(await maskBytes(bytes)),
  dropped: dropped > 0 ? `${dropped} bytes` : undefined,
});

export type PresentDeps = { saveArtifact: SaveArtifact; context: ToolContext };
type Presented = { command: Command; read: ReadOutput; sessionId?: string };

/**
 * Creates the result of a call from output that was read: what is too long for the model is kept as an artifact. Colors
 * and other codes of terminals are for the person only.
 */
export const presentOutput = async (
  deps: PresentDeps,
  { command, read: { bytes, dropped, problem }, sessionId }: Presented,
): Promise<ToolResult<ExecResult>> => {
  const { output, isCut } = cutOutput(bytes);
  const artifact = isCut ? await saveWhole(deps, bytes) : undefined;
  const truncated = isCut || dropped !== undefined;
  const state = command.state();
  const note = command.note() ?? explainExit(state, output);
  const notes = [
    ...(dropped === undefined ? [] : [`[… ${dropped} before this are no longer kept …]\n`]),
    output,
    ...[problem, note].filter((text) => text !== undefined).map((text) => `\n[${text}]\n`),
  ];
  const shown = notes.join("");
  const plain = stripTerminalCodes(shown);
  const result = jsonResult<ExecResult>({
    ...(sessionId !== undefined && { session_id: sessionId }),
    ...state,
    output: plain,
    ...(command.pty && { pty: true }),
    ...(truncated && { truncated }),
    ...(artifact && { artifact }),
  });
  const forPerson = shown === plain ? {} : { forUser: shown };
  const artifacts = artifact ? [artifact] : [];
  return withTruncation({ ...result, ...forPerson, artifacts }, truncated);
};

/** @returns why a command has failed, as a sentence, where the server knows more than its output says. */
const explainExit = ({ exit_code: code = 0 }: CommandState, output: string): string | undefined =>
  code === 0 ? undefined : explainMissingProgram(output);

/** @returns what the model reads of an output whose call has no result, without terminal codes. */
export const toPlainOutput = ({ bytes }: ReadOutput): string =>
  stripTerminalCodes(cutOutput(bytes).output);

/** @returns undefined if it could not be stored, which does not fail the call. */
const saveWhole = async (
  { saveArtifact, context }: PresentDeps,
  bytes: ByteSource,
): Promise<Artifact | undefined> => {
  try {
    return await saveArtifact(context, { name: "output.txt", mediaType: "text/plain", bytes });
  } catch (error) {
    context.log.error({ err: error, toolCallId: context.toolCallId }, "output not saved");
    return undefined;
  }
};
