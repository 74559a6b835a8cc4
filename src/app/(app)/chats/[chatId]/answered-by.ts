import type { RequiredAction } from "@/contract/chat";
import type { Message } from "@/contract/message";

/**
 * Who answered what the form asked for, in words.
 *
 * @returns undefined when nobody did, or once the chat has gone on to another message of a person.
 */
export const answeredBy = (
  action: RequiredAction,
  messages: readonly Message[],
  userId: string,
): string | undefined => {
  const ids = action.tool_calls.map((call) => call.tool_call_id);
  const at = messages.findIndex(({ parts }) =>
    parts.some((part) => part.type === "tool_call" && ids.includes(part.tool_call_id)),
  );
  if (at < 0 || messages.slice(at).some(({ role }) => role === "user")) return undefined;
  for (const part of messages[at]?.parts ?? []) {
    if (part.type !== "tool_call" || !ids.includes(part.tool_call_id)) continue;
    if (part.state !== "completed" && part.state !== "error") continue;
    if (part.resolved_by !== undefined) return nameOf(part.resolved_by, userId);
  }
  return undefined;
};

const nameOf = (resolvedBy: string, userId: string): string => {
  if (resolvedBy === userId) return "you, in another tab";
  return resolvedBy.startsWith("api_key:") ? "a program with an API key" : "somebody else";
};
