import type { RequiredAction } from "@/contract/chat";
import type { MessageView } from "@/contract/chat-view";

/**
 * Leaves out the calls that wait for an approval, as the form for the decision shows them: a call with its question is
 * one card. A message that has nothing else is left out as a whole.
 */
export const omitPendingApprovals = (
  messages: readonly MessageView[],
  action: RequiredAction | null,
): readonly MessageView[] => {
  if (!action || action.approvals.length === 0) return messages;
  const pending = new Set(action.approvals.map(({ tool_call_id: id }) => id));
  return messages.flatMap((message) => {
    if (message.id !== action.message_id) return [message];
    const parts = message.parts.filter(
      (part) => part.type !== "tool_call" || !pending.has(part.tool_call_id),
    );
    return parts.length === 0 ? [] : [{ ...message, parts }];
  });
};
