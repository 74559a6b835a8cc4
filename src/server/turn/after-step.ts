import type { FinishReason } from "@/contract/message";
import type { ChatRow, HistoryMessage, ToolCallPartRow } from "@/server/db/chats/rows";
import type { AfterCommit } from "@/server/db/sql/machine/turn-commits";
import { getActionTimeout, type NextStep } from "./decide-next";

/** What a commit does besides: the next step goes on, parks the chat or ends its turn. */
export const toAfterCommit = (next: NextStep, chat: ChatRow): AfterCommit => {
  if (next.type === "park") {
    return { type: "park", timeoutSeconds: getActionTimeout(chat, next.calls) };
  }
  return { type: next.type === "finish" ? "finish" : "continue" };
};

/** What marks the last answer of a turn that ends with this step, if anything does. */
export const toNotice = (next: NextStep): FinishReason | null =>
  next.type === "finish" ? NOTICE[next.reason] : null;

type FinishedBy = Extract<NextStep, { type: "finish" }>["reason"];

/** What marks the last answer of a turn that ends before the model had all it asked for. */
const NOTICE: Record<FinishedBy, FinishReason | null> = {
  answered: null,
  tool: null,
  handled: null,
  auto_submit_off: "auto-submit-off",
  step_limit: "step-limit",
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
