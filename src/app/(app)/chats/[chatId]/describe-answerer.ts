import type { RequiredAction } from "@/contract/chat";
import type { Message } from "@/contract/message";
import type { ToolCallPart } from "@/contract/part";

/**
 * Describes who answered the tool calls of an action.
 *
 * @returns undefined without an answer, or after a newer user message.
 */
export const describeAnswerer = (
  action: RequiredAction,
  messages: readonly Message[],
  userId: string,
): string | undefined => {
  const ids = action.tool_calls.map((call) => call.tool_call_id);
  const index = messages.findIndex(({ id }) => id === action.message_id);
  if (index < 0 || messages.slice(index).some(({ role }) => role === "user")) return undefined;
  for (const part of messages[index]?.parts ?? []) {
    if (part.type !== "tool_call" || !ids.includes(part.tool_call_id)) continue;
    const by = findAnswerer(part);
    if (by !== undefined) return describeActor(by, userId);
  }
  return undefined;
};

/** @returns who answered a dynamic call, or the last question of a server. */
const findAnswerer = ({ state, resolved_by: by, elicitations }: ToolCallPart) => {
  if (elicitations) return elicitations.at(-1)?.answered_by;
  return state === "completed" || state === "error" ? by : undefined;
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
