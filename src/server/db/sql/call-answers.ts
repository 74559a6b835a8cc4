import type { JsonValue } from "@/contract/json";
import type { ToolCallState } from "@/contract/part";

/** How one call ended, as it is written. */
export type CallAnswer = {
  toolCallId: string;
  state: ToolCallState;
  output: JsonValue;
  isError: boolean;
};

/** SQL of the id of the last assistant message of a chat. */
export const lastAssistant = (chatId: string): string => `(SELECT id FROM message
  WHERE chat_id = ${chatId}::uuid AND role = 'assistant' AND NOT deleted ORDER BY seq DESC LIMIT 1)`;

/** SQL that makes rows of the JSON of `toAnswerRecord`, as `x`. */
export const answersOf = (json: string): string =>
  `json_to_recordset(${json}::json) AS x(tool_call_id text, state tool_call_state, output json, is_error boolean)`;

export const toAnswerRecord = ({ toolCallId, state, output, isError }: CallAnswer) => ({
  tool_call_id: toolCallId,
  state,
  output,
  is_error: isError,
});
