import type { HistoryMessage, ToolCallPartRow } from "@/server/db/rows";

/** What a running chat does next. */
export type NextStep =
  /** Calls that the worker runs and that have no outcome yet. */
  | { type: "execute"; message: HistoryMessage; calls: ToolCallPartRow[] }
  /** Only a client or a person can go on. */
  | { type: "park"; calls: ToolCallPartRow[] }
  | { type: "finish"; reason: "answered" | "tool" | "handled" | "step_limit" }
  | { type: "generate" };

/** The committed facts that decide it. */
export type TurnFacts = {
  history: readonly HistoryMessage[];
  /** Steps of this turn that are committed. */
  turnSteps: number;
  maxSteps: number;
  queueEmpty: boolean;
  /** True for tools whose success ends the turn. */
  stopsTurn: (toolName: string) => boolean;
};

const OPEN = new Set(["running", "awaiting_result", "awaiting_approval"]);

/** Calls of a message that are ours or a client's to answer, in call order. */
export const localCalls = (message: HistoryMessage): ToolCallPartRow[] =>
  message.parts
    .filter((part) => part.type === "tool_call")
    .filter(({ kind }) => kind !== "provider");

/**
 * Decides from committed state alone, so a crash, a resumed action and a new worker all take the
 * same way.
 */
export const decideNext = (facts: TurnFacts): NextStep => {
  const last = facts.history.at(-1);
  if (last?.role !== "assistant") return { type: "generate" };
  const calls = localCalls(last);
  const open = calls.filter(({ state }) => OPEN.has(state));
  const ours = open.filter(({ state }) => state === "running");
  if (ours.length > 0) return { type: "execute", message: last, calls: ours };
  if (open.length > 0) return { type: "park", calls: open };
  if (calls.length === 0) return { type: "finish", reason: "answered" };
  if (calls.some(({ toolName, isError }) => !isError && facts.stopsTurn(toolName))) {
    return { type: "finish", reason: "tool" };
  }
  if (facts.queueEmpty && calls.every(({ responseHandled }) => responseHandled)) {
    return { type: "finish", reason: "handled" };
  }
  if (facts.turnSteps >= facts.maxSteps) return { type: "finish", reason: "step_limit" };
  return { type: "generate" };
};
