import type { RequiredAction } from "@/contract/chat";
import { listOpenCallIds } from "@/contract/chat-status";
import type { Message } from "@/contract/message";
import type { ToolCallPart } from "@/contract/part";
import { isRunByClient } from "@/contract/run-by-client";

/**
 * Describes where the answer to an action came from, after the word "Answered".
 *
 * @returns undefined without an answer, or after a newer user message.
 */
export const describeAnswerer = (
  action: RequiredAction,
  messages: readonly Message[],
  userId: string,
): string | undefined => {
  const ids = listOpenCallIds(action);
  const index = messages.findIndex(({ id }) => id === action.message_id);
  if (index < 0 || messages.slice(index).some(({ role }) => role === "user")) return undefined;
  for (const part of messages[index]?.parts ?? []) {
    if (part.type !== "tool_call" || !ids.includes(part.tool_call_id)) continue;
    const by = findAnswerer(part);
    if (by !== undefined) return by === "worker" ? "elsewhere" : `by ${describeActor(by, userId)}`;
  }
  return undefined;
};

/**
 * @returns who answered a dynamic call, the last question of a server, or the question whether a call may run: a call
 * that has run no longer says who approved it.
 */
const findAnswerer = ({ kind, state, resolved_by: by, elicitations }: ToolCallPart) => {
  if (elicitations) return elicitations.at(-1)?.answered_by;
  if (state === "denied") return by;
  const hasEnded = state === "completed" || state === "error";
  if (isRunByClient(kind)) return hasEnded ? by : undefined;
  return hasEnded || state === "running" ? "worker" : undefined;
};

/**
 * Describes why a call takes no answer any more, as a sentence.
 *
 * @returns undefined while the call is open.
 */
export const describeClosedCall = (
  { state, resolved_by: by, elicitations }: ToolCallPart,
  userId: string,
): string | undefined => {
  const answeredBy = elicitations?.at(-1)?.answered_by;
  if (answeredBy !== undefined) return `Answered by ${describeActor(answeredBy, userId)}.`;
  if (state === "timed_out") return "The time to answer was over.";
  if (state === "cancelled") return "The call was cancelled.";
  if (state === "completed" || state === "error") {
    return by === undefined || by === "worker"
      ? "The call has ended."
      : `Answered by ${describeActor(by, userId)}.`;
  }
  return state === "denied" ? "The call was not approved." : undefined;
};

const describeActor = (resolvedBy: string, userId: string): string => {
  if (resolvedBy === userId) return "you, in another tab";
  return resolvedBy.startsWith("api_key:") ? "a program with an API key" : "another person";
};
