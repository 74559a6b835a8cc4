import type { Message } from "./message";
import type { ReasoningPart, SourcePart, TextPart, ToolCallPart } from "./part";

/** What a running tool says of itself before its outcome is there. */
export type LiveOutput = { phase?: string; text: string };

/** A tool call as the screen knows it, committed or still being streamed. */
export type ToolCallView = ToolCallPart & {
  /** The arguments' JSON so far, incomplete; there only while they are streamed. */
  args_text?: string;
  live_output?: LiveOutput;
};

export type PartView = TextPart | ReasoningPart | SourcePart | ToolCallView;

/** A message as the screen knows it: committed, or the preview of the one being made. */
export type MessageView = Omit<Message, "parts"> & { parts: PartView[]; preview?: true };
