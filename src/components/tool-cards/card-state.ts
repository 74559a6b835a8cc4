import type { ToolCallView } from "@/contract/chat-view";
import type { ToolCallState } from "@/contract/part";

/** The states of a call, `streaming` while its arguments are incomplete, and `claimed` while a program works on it. */
export type CardState = "streaming" | "claimed" | ToolCallState;

export const toCardState = (part: ToolCallView): CardState => {
  if (part.state === "running" && part.args_text !== undefined) return "streaming";
  if (part.state === "awaiting_result" && part.is_claimed) return "claimed";
  return part.state === "completed" && part.is_error ? "error" : part.state;
};

const OPEN_STATES: ReadonlySet<CardState> = new Set<CardState>([
  "streaming",
  "running",
  "awaiting_result",
  "claimed",
  "awaiting_approval",
  "awaiting_agents",
]);

/** Whether a call in this state is not over. */
export const isOpenState = (state: CardState): boolean => OPEN_STATES.has(state);
