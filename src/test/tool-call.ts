import type { ToolCallPartRow } from "@/server/db/chats/rows";
import { NO_OUTCOME } from "@/server/db/sql/rows/part-columns";

/** A dynamic call that awaits its result, with the given fields replaced. */
export const toolCall = (fields: Partial<ToolCallPartRow> = {}): ToolCallPartRow => ({
  type: "tool_call",
  toolCallId: "call",
  toolName: "tool",
  kind: "dynamic",
  args: {},
  approvedArgs: null,
  approvalScope: null,
  startedAt: new Date(0),
  ...NO_OUTCOME,
  state: "awaiting_result",
  ...fields,
});
