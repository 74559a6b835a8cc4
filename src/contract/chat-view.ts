import type { Message } from "./message";
import type {
  FilePart,
  ReasoningPart,
  ReportPart,
  SourcePart,
  SummaryPart,
  TextPart,
  ToolCallPart,
} from "./part";

/** Progress that a running tool reports before its outcome. */
export type LiveOutput = { phase?: string; text: string };

/** A tool call as the UI shows it: committed, or part of a preview. */
export type ToolCallView = ToolCallPart & {
  /** The incomplete JSON of the arguments; set only while they are streamed. */
  args_text?: string;
  live_output?: LiveOutput;
  /** Whether a program works on it; set only while it is open. */
  is_claimed?: boolean;
};

export type PartView =
  TextPart | ReasoningPart | SourcePart | FilePart | ToolCallView | ReportPart | SummaryPart;

/** A message as the UI shows it: committed, or a preview. */
export type MessageView = Omit<Message, "parts"> & {
  parts: PartView[];
  preview?: true;
  /** The steps that are shown as this one message. */
  steps?: readonly MessageView[];
};
