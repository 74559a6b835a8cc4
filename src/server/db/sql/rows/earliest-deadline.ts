import { lastAssistant } from "./message-columns";

/** SQL of the earliest deadline of the calls that a chat waits for, without those that the JSON of outcomes ends. */
export const earliestDeadline = (chatId: string, outcomes?: string): string => {
  const answered = outcomes
    ? ` AND part.tool_call_id NOT IN (SELECT tool_call_id FROM json_to_recordset(${outcomes}::json) AS x(tool_call_id text))`
    : "";
  return `(SELECT min(part.deadline_at) FROM part WHERE part.message_id = ${lastAssistant(chatId)}
    AND part.state IN ('awaiting_result', 'awaiting_approval')${answered})`;
};
