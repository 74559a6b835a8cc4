import type { AutoSubmit } from "@/contract/chat";
import {
  type ChatRow,
  type HistoryMessage,
  OPEN_CALL_STATES,
  type ToolCallPartRow,
  waitsForClient,
} from "@/server/db/chats/rows";

/** The next action of a running chat. */
export type NextStep =
  /** The worker runs calls that have no outcome yet. */
  | { type: "execute"; message: HistoryMessage; calls: ToolCallPartRow[] }
  /** The chat waits for results of a client or for approvals. */
  | { type: "park"; calls: ToolCallPartRow[] }
  /** The chat waits for agents. */
  | { type: "wait"; message: HistoryMessage }
  | { type: "finish"; reason: "answered" | "tool" | "handled" | "auto_submit_off" | "step_limit" }
  | { type: "generate" };

/** The committed state from which the next action is decided. */
export type TurnFacts = {
  history: readonly HistoryMessage[];
  /** Committed steps of this turn; 0 with the results of a step means that a person has continued it. */
  turnSteps: number;
  maxSteps: number;
  isQueueEmpty: boolean;
  /** True for tools whose success ends the turn. */
  stopsTurn: (toolName: string) => boolean;
  /** Whether the chat goes on after results. */
  autoSubmit: AutoSubmit;
  /** Whether a tool lets it go on after its own; undefined for a tool that does not say. */
  autoSubmitOf: (toolName: string) => Partial<AutoSubmit> | undefined;
};

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
  const openCalls = calls.filter(({ state }) => OPEN_CALL_STATES.has(state));
  if (openCalls.length > 0) return decideOpen(last, openCalls);
  if (calls.length === 0) return { type: "finish", reason: "answered" };
  if (facts.turnSteps === 0) return { type: "generate" };
  if (calls.some(({ toolName, isError }) => !isError && facts.stopsTurn(toolName))) {
    return { type: "finish", reason: "tool" };
  }
  if (facts.isQueueEmpty && calls.every(({ responseHandled }) => responseHandled)) {
    return { type: "finish", reason: "handled" };
  }
  if (!isSubmitted(calls, facts)) return { type: "finish", reason: "auto_submit_off" };
  if (facts.turnSteps >= facts.maxSteps) return { type: "finish", reason: "step_limit" };
  return { type: "generate" };
};

/** The worker's calls come first, then those of clients: agents work meanwhile. */
const decideOpen = (message: HistoryMessage, openCalls: ToolCallPartRow[]): NextStep => {
  const workerCalls = openCalls.filter(({ state }) => state === "running");
  if (workerCalls.length > 0) return { type: "execute", message, calls: workerCalls };
  const clientCalls = openCalls.filter(waitsForClient);
  return clientCalls.length > 0 ? { type: "park", calls: clientCalls } : { type: "wait", message };
};

/**
 * Decides whether the model gets the results of a step at once. The chat goes by whether any call failed, each tool by
 * its own calls: one that a person has rejected did not run, and has no outcome of the tool.
 */
const isSubmitted = (
  calls: readonly Pick<ToolCallPartRow, "toolName" | "isError" | "state">[],
  { autoSubmit, autoSubmitOf }: Pick<TurnFacts, "autoSubmit" | "autoSubmitOf">,
): boolean => {
  const ofChat = calls.some(({ isError }) => isError) ? autoSubmit.error : autoSubmit.success;
  const ofTools = calls.every(({ toolName, isError, state }) => {
    const { success = true, error = true } = autoSubmitOf(toolName) ?? {};
    return isError ? error || state === "denied" : success;
  });
  return ofChat && ofTools;
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
