import type { ChatRow, HistoryMessage, ToolCallPartRow } from "@/server/db/rows";

/** The next action of a running chat. */
export type NextStep =
  /** The worker runs calls that have no outcome yet. */
  | { type: "execute"; message: HistoryMessage; calls: ToolCallPartRow[] }
  /** The chat waits for results of a client or for approvals. */
  | { type: "park"; calls: ToolCallPartRow[] }
  | { type: "finish"; reason: "answered" | "tool" | "handled" | "step_limit" }
  | { type: "generate" };

/** The committed state from which the next action is decided. */
export type TurnFacts = {
  history: readonly HistoryMessage[];
  /** Committed steps of this turn. */
  turnSteps: number;
  maxSteps: number;
  isQueueEmpty: boolean;
  /** True for tools whose success ends the turn. */
  stopsTurn: (toolName: string) => boolean;
  /** True for tools whose failure ends the turn. */
  stopsTurnOnError: (toolName: string) => boolean;
};

const OPEN_STATES = new Set(["running", "awaiting_result", "awaiting_approval"]);

/** Returns the calls that the worker or a client answers, not the provider, in call order. */
export const getLocalCalls = (message: HistoryMessage): ToolCallPartRow[] =>
  message.parts
    .filter((part) => part.type === "tool_call")
    .filter(({ kind }) => kind !== "provider");

/**
 * Decides the next action from committed state alone, so that the result is the same after a
 * crash, a resumed action or a change of worker.
 */
export const decideNext = (facts: TurnFacts): NextStep => {
  const last = facts.history.at(-1);
  if (last?.role !== "assistant") return { type: "generate" };
  const calls = getLocalCalls(last);
  const openCalls = calls.filter(({ state }) => OPEN_STATES.has(state));
  const workerCalls = openCalls.filter(({ state }) => state === "running");
  if (workerCalls.length > 0) return { type: "execute", message: last, calls: workerCalls };
  if (openCalls.length > 0) return { type: "park", calls: openCalls };
  if (calls.length === 0) return { type: "finish", reason: "answered" };
  if (calls.some((call) => endsTurn(call, facts))) {
    return { type: "finish", reason: "tool" };
  }
  if (facts.isQueueEmpty && calls.every(({ responseHandled }) => responseHandled)) {
    return { type: "finish", reason: "handled" };
  }
  if (facts.turnSteps >= facts.maxSteps) return { type: "finish", reason: "step_limit" };
  return { type: "generate" };
};

/** A call that a person has rejected did not run, and the model decides what follows. */
const endsTurn = (
  { toolName, isError, state }: ToolCallPartRow,
  { stopsTurn, stopsTurnOnError }: TurnFacts,
): boolean => {
  if (!isError) return stopsTurn(toolName);
  return state !== "denied" && stopsTurnOnError(toolName);
};

/**
 * Computes the time until open calls expire, the shortest of the chat's and the tools' timeouts.
 *
 * @returns seconds.
 */
export const getActionTimeout = (chat: ChatRow, open: readonly ToolCallPartRow[]): number => {
  const names = new Set(open.map(({ toolName }) => toolName));
  const own = chat.dynamicTools
    .filter(({ name }) => names.has(name))
    .flatMap(({ timeout_seconds }) => timeout_seconds ?? []);
  return Math.min(chat.actionTimeoutSeconds, ...own);
};
