import type { FinishReason } from "@/contract/message";
import {
  type ChatRow,
  type HistoryMessage,
  OPEN_CALL_STATES,
  type ToolCallPartRow,
  waitsForClient,
} from "@/server/db/chats/rows";
import type { AfterCommit } from "@/server/db/sql/machine/after-commit";
import type { CallTimeout } from "@/server/db/sql/rows/part-columns";
import type { Toolbox } from "@/server/tools/toolbox";
import { canRepair, getFormatErrors } from "./format-errors";

/** The next action of a running chat. */
export type NextStep =
  /** The worker runs calls that have no outcome yet. */
  | { type: "execute"; message: HistoryMessage; calls: ToolCallPartRow[] }
  /** The chat waits for results of a client or for approvals. */
  | { type: "park"; calls: ToolCallPartRow[] }
  /** The chat waits for agents. */
  | { type: "wait"; message: HistoryMessage }
  | { type: "finish"; reason: FinishedBy }
  | { type: "generate" }
  /** The worker sums up the history, as a person has asked for it. */
  | { type: "compact" };

type FinishedBy =
  "answered" | "tool" | "handled" | "auto_submit_off" | "step_limit" | "invalid_format";

/** The committed state from which the next action is decided. */
export type CommittedTurn = {
  /** With the results of a step, 0 `turnSteps` mean that a person has continued the turn. */
  chat: Pick<
    ChatRow,
    | "compaction"
    | "turnSteps"
    | "maxSteps"
    | "queuedCount"
    | "autoSubmitSuccess"
    | "autoSubmitError"
  >;
  history: readonly HistoryMessage[];
};

type NextTools = Pick<Toolbox, "stopsTurn" | "autoSubmit">;

/** Returns the calls that the worker or a client answers, not the provider, in call order. */
export const getLocalCalls = (message: HistoryMessage): ToolCallPartRow[] =>
  message.parts
    .filter((part) => part.type === "tool_call")
    .filter(({ kind }) => kind !== "provider");

/**
 * Decides the next action from committed state alone, so that the result is the same after a
 * crash, a resumed action or a change of worker.
 */
export const decideNext = (turn: CommittedTurn, tools: NextTools): NextStep =>
  // It is asked for while no call is open.
  turn.chat.compaction?.status === "requested" ? { type: "compact" } : decideStep(turn, tools);

const decideStep = ({ chat, history }: CommittedTurn, tools: NextTools): NextStep => {
  const last = history.at(-1);
  if (last?.role !== "assistant") return { type: "generate" };
  const calls = getLocalCalls(last);
  const openCalls = calls.filter(({ state }) => OPEN_CALL_STATES.has(state));
  if (openCalls.length > 0) return decideOpen(last, openCalls);
  if (calls.length === 0) return decideAnswered({ chat, history }, last);
  if (chat.turnSteps === 0) return { type: "generate" };
  if (calls.some(({ toolName, isError }) => !isError && tools.stopsTurn.has(toolName))) {
    return { type: "finish", reason: "tool" };
  }
  if (chat.queuedCount === 0 && calls.every(({ responseHandled }) => responseHandled)) {
    return { type: "finish", reason: "handled" };
  }
  if (!isSubmitted(calls, chat, tools)) return { type: "finish", reason: "auto_submit_off" };
  if (chat.turnSteps >= chat.maxSteps) return { type: "finish", reason: "step_limit" };
  return { type: "generate" };
};

/** An answer without the form that its turn must have is made anew, a few times. */
const decideAnswered = (
  { chat: { turnSteps, maxSteps }, history }: CommittedTurn,
  last: HistoryMessage,
): NextStep => {
  if (getFormatErrors(last).length === 0) return { type: "finish", reason: "answered" };
  return canRepair(history, last.turnId) && turnSteps < maxSteps
    ? { type: "generate" }
    : { type: "finish", reason: "invalid_format" };
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
  { autoSubmitSuccess, autoSubmitError }: CommittedTurn["chat"],
  { autoSubmit }: NextTools,
): boolean => {
  const ofChat = calls.some(({ isError }) => isError) ? autoSubmitError : autoSubmitSuccess;
  const ofTools = calls.every(({ toolName, isError, state }) => {
    const { success = true, error = true } = autoSubmit.get(toolName) ?? {};
    return isError ? error || state === "denied" : success;
  });
  return ofChat && ofTools;
};

/** How long each call waits for its client: the time of its tool, or of the chat. */
const getTimeouts = (chat: ChatRow, open: readonly ToolCallPartRow[]): CallTimeout[] =>
  open.map(({ toolCallId, toolName, state, definition }) => {
    // The time of a tool is that of its programs, not of the person who approves.
    const tool =
      state === "awaiting_approval"
        ? undefined
        : (definition ?? chat.dynamicTools.find(({ name }) => name === toolName));
    return { toolCallId, timeoutSeconds: tool?.timeout_seconds ?? chat.actionTimeoutSeconds };
  });

/** What follows the commit of a step: another step, a parked chat or the end of the turn. */
export const toAfterCommit = (next: NextStep, chat: ChatRow): AfterCommit => {
  if (next.type === "park") {
    return { type: "park", timeouts: getTimeouts(chat, next.calls) };
  }
  return { type: next.type === "finish" ? "finish" : "continue" };
};

/** What marks the last answer of a turn that ends with this step, if anything does. */
export const toNotice = (next: NextStep): FinishReason | null =>
  next.type === "finish" ? NOTICE[next.reason] : null;

/** What marks the last answer of a turn that ends before the model had all it asked for. */
const NOTICE: Record<FinishedBy, FinishReason | null> = {
  answered: null,
  tool: null,
  handled: null,
  auto_submit_off: "auto-submit-off",
  step_limit: "step-limit",
  invalid_format: "invalid-format",
};

/** Whether the worker goes on itself. A turn with a notice is ended by a statement of its own, which writes the notice. */
export const continues = (next: NextStep): boolean =>
  toNotice(next) !== null || GOES_ON.has(next.type);

const GOES_ON: ReadonlySet<NextStep["type"]> = new Set(["generate", "execute", "wait"]);

/** Returns a message as it is stored when its calls have these outcomes, by the ids of the calls. */
export const withOutcomes = (
  message: HistoryMessage,
  outcomes: ReadonlyMap<string, Partial<ToolCallPartRow>>,
): HistoryMessage => ({
  ...message,
  parts: message.parts.map((part) =>
    part.type === "tool_call" ? { ...part, ...outcomes.get(part.toolCallId) } : part,
  ),
});
