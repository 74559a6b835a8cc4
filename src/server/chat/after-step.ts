import type { FinishReason } from "@/contract/message";
import type { ChatRow } from "@/server/db/rows";
import type { AfterCommit } from "@/server/db/sql/turn-commits";
import { getActionTimeout, type NextStep } from "./decide-next";

/** What a commit does besides: the next step goes on, parks the chat or ends its turn. */
export const afterOf = (next: NextStep, chat: ChatRow): AfterCommit => {
  if (next.type === "park") {
    return { type: "park", timeoutSeconds: getActionTimeout(chat, next.calls) };
  }
  return { type: next.type === "finish" ? "finish" : "continue" };
};

/** What marks the last answer of a turn that ends with this step, if anything does. */
export const noticeOf = (next: NextStep): FinishReason | null =>
  next.type === "finish" ? NOTICE[next.reason] : null;

type FinishedBy = Extract<NextStep, { type: "finish" }>["reason"];

/** What marks the last answer of a turn that ends before the model had all it asked for. */
const NOTICE: Record<FinishedBy, FinishReason | null> = {
  ...{ answered: null, tool: null, handled: null },
  auto_submit_off: "auto-submit-off",
  step_limit: "step-limit",
};
