import type { RequiredAction } from "@/contract/chat";
import type { Message } from "@/contract/message";

/**
 * Describes who answered the tool calls of an action.
 *
 * @returns undefined if nobody answered, or after a newer user message.
 */
export const describeAnswerer = (
  action: RequiredAction,
  messages: readonly Message[],
  userId: string,
): string | undefined => {
  const ids = action.tool_calls.map((call) => call.tool_call_id);
  const index = messages.findIndex(({ parts }) =>
    parts.some((part) => part.type === "tool_call" && ids.includes(part.tool_call_id)),
  );
  if (index < 0 || messages.slice(index).some(({ role }) => role === "user")) return undefined;
  for (const part of messages[index]?.parts ?? []) {
    if (part.type !== "tool_call" || !ids.includes(part.tool_call_id)) continue;
    if (part.state !== "completed" && part.state !== "error") continue;
    if (part.resolved_by !== undefined) return describeActor(part.resolved_by, userId);
  }
  return undefined;
};

const describeActor = (resolvedBy: string, userId: string): string => {
  if (resolvedBy === userId) return "you, in another tab";
  return resolvedBy.startsWith("api_key:") ? "a program with an API key" : "somebody else";
};
