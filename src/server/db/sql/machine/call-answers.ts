import type { AnsweredElicitation } from "@/contract/elicitation";
import type { JsonValue } from "@/contract/json";
import type { ToolCallState } from "@/contract/part";

/** The outcome of a call as it is written, or the answer with which a call that asks continues. */
export type CallAnswer = EndedCall | AskedCall;

export type EndedCall = {
  toolCallId: string;
  state: Exclude<ToolCallState, "running">;
  output: JsonValue;
  isError: boolean;
};

type AskedCall = {
  toolCallId: string;
  state: "running";
  elicitations: readonly AnsweredElicitation[];
};

/** SQL of the id of the last assistant message of a chat. */
export const lastAssistant = (chatId: string): string => `(SELECT id FROM message
  WHERE chat_id = ${chatId}::uuid AND role = 'assistant' AND NOT deleted ORDER BY seq DESC LIMIT 1)`;

/** SQL that makes rows of the JSON of `toAnswerRecord`, as `x`. */
export const answersOf = (json: string): string =>
  `json_to_recordset(${json}::json) AS x(tool_call_id text, state tool_call_state, output json, is_error boolean, elicitations json)`;

/**
 * SQL of the assignments from such a row. A call that continues has no output and no end, and keeps its questions.
 */
export const ASSIGN_ANSWER = `state = x.state, is_error = coalesce(x.is_error, false),
  output = CASE WHEN x.state <> 'running' THEN coalesce(x.output, 'null'::json) END,
  completed_at = CASE WHEN x.state <> 'running' THEN now() END,
  elicitations = coalesce(x.elicitations, part.elicitations)`;

export const toAnswerRecord = (answer: CallAnswer) => ({
  tool_call_id: answer.toolCallId,
  state: answer.state,
  ...(answer.state === "running"
    ? { elicitations: answer.elicitations }
    : { output: answer.output, is_error: answer.isError }),
});
