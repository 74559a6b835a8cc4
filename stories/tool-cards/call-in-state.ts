import type { ToolCallView } from "@/contract/chat-view";
import type { JsonObject } from "@/contract/json";
import type { CardState } from "@/components/tool-cards/card-state";

/** The clock of these stories: 4 seconds after a running call began. */
export const NOW = Date.parse("2026-03-12T12:00:04.000Z");
const STARTED_AT = "2026-03-12T12:00:00.000Z";
const COMPLETED_AT = "2026-03-12T12:00:02.400Z";

type Call = Pick<ToolCallView, "tool_name" | "kind" | "args"> & {
  /** What it answers when it goes well. */
  output: NonNullable<ToolCallView["output"]>;
  /** The beginning of its arguments' JSON. */
  args_text: string;
};

const failures: Partial<Record<CardState, string>> = {
  error: "The path leads out of the workspace.",
  denied: "Not now, please.",
};

/** One call in any of the states that its card can be in. */
export const callInState = (call: Call, state: CardState): ToolCallView => {
  const { output, args_text, ...rest } = call;
  const base = { type: "tool_call" as const, tool_call_id: "call_1", ...rest, is_error: false };
  switch (state) {
    case "streaming":
      return { ...base, args: null, args_text, state: "running", started_at: STARTED_AT };
    case "running":
    case "awaiting_result":
    case "awaiting_approval":
    case "awaiting_agents":
      return { ...base, state, started_at: STARTED_AT };
    case "claimed":
      return { ...base, state: "awaiting_result", is_claimed: true, started_at: STARTED_AT };
    case "completed":
      return { ...base, state, output, started_at: STARTED_AT, completed_at: COMPLETED_AT };
    case "error":
    case "cancelled":
    case "timed_out":
    case "denied":
      return {
        ...base,
        state,
        is_error: true,
        ...(failures[state] !== undefined && { output: failures[state] }),
        started_at: STARTED_AT,
        completed_at: COMPLETED_AT,
      };
  }
};

/** Creates the arguments of stories from calls of one built-in tool. @param text the beginning of the arguments' JSON. */
export const createCalls =
  (tool_name: string, args: JsonObject, text = JSON.stringify(args).slice(0, -6)) =>
  (state: CardState, output: NonNullable<ToolCallView["output"]> = "") => {
    const part = callInState({ tool_name, kind: "builtin", args, args_text: text, output }, state);
    // A call that waits for agents has an output before its outcome.
    return { part: state === "awaiting_agents" ? { ...part, output } : part };
  };
