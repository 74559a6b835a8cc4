import type { ToolCallView } from "@/contract/chat-view";
import { ToolCallState } from "@/contract/part";

/** Where a card stands: the call's state, and the time before the call is complete. */
export type CardState = ToolCallState | "streaming";

export const CARD_STATES: readonly CardState[] = ["streaming", ...ToolCallState.options];

export const cardState = (part: ToolCallView): CardState => {
  if (part.state === "running" && part.args_text !== undefined) return "streaming";
  return part.state === "completed" && part.is_error ? "error" : part.state;
};
