/** Identifies a call in its chat: ids of calls are unique in their message only, as older histories repeat them. */
export const toCallKey = (call: { message_id: string; tool_call_id: string }): string =>
  `${call.message_id}/${call.tool_call_id}`;
