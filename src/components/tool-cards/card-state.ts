import type { ToolCallView } from "@/contract/chat-view";
import type { ToolCallState } from "@/contract/part";

/** The states of a call, and `streaming` while its arguments are incomplete. */
export type CardState = "streaming" | ToolCallState;

export const toCardState = (part: ToolCallView): CardState => {
  if (part.state === "running" && part.args_text !== undefined) return "streaming";
  return part.state === "completed" && part.is_error ? "error" : part.state;
};
