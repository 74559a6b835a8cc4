import type { ToolCallPartRow } from "@/server/db/chats/rows";

/** A dynamic call that awaits its result, with the given fields replaced. */
export const toolCall = (fields: Partial<ToolCallPartRow> = {}): ToolCallPartRow => ({
  type: "tool_call",
  toolCallId: "call",
  toolName: "tool",
  kind: "dynamic",
  args: {},
  approvalScope: null,
  state: "awaiting_result",
  isError: false,
  forUser: null,
  silent: false,
  responseHandled: false,
  artifacts: null,
  elicitations: null,
  resolvedBy: null,
  approved: false,
  startedAt: new Date(0),
  completedAt: null,
  ...fields,
});
