import type { RequiredAction } from "@/contract/chat";
import type { MessageView, PartView } from "@/contract/chat-view";

/**
 * Adds to the messages what only the required action knows of their calls: marks the calls that programs work on, and
 * leaves out those that wait for an approval, as the form for the decision shows them: a call with its question is one
 * card. A message that has nothing else is left out as a whole.
 */
export const applyRequiredAction = (
  messages: readonly MessageView[],
  action: RequiredAction | null,
): readonly MessageView[] => {
  const pending = listIds(action?.approvals);
  const claimed = listIds(action?.tool_calls.filter(({ claim }) => claim !== null));
  if (pending.size + claimed.size === 0) return messages;
  const applyTo = (part: PartView): PartView[] => {
    if (part.type !== "tool_call") return [part];
    if (pending.has(part.tool_call_id)) return [];
    return [claimed.has(part.tool_call_id) ? { ...part, is_claimed: true } : part];
  };
  return messages.flatMap((message) => {
    if (message.id !== action?.message_id) return [message];
    const parts = message.parts.flatMap(applyTo);
    return parts.length === 0 ? [] : [{ ...message, parts }];
  });
};

const listIds = (calls: readonly { tool_call_id: string }[] = []): ReadonlySet<string> =>
  new Set(calls.map(({ tool_call_id: id }) => id));
