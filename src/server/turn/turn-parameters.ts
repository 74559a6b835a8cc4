import type { ChatParameters } from "@/contract/parameters";
import type { ResponseFormat } from "@/contract/response-format";
import type { ChatRow, HistoryMessage } from "@/server/db/chats/rows";
import type { CallParameters } from "@/server/model/model-step";

/** Finds what a turn sets of its model calls: what its messages set counts more than what the chat sets, the newest most. */
export const findTurnParameters = (
  { turnId, parameters }: Pick<ChatRow, "turnId" | "parameters">,
  history: readonly HistoryMessage[],
): ChatParameters => {
  const questions = listQuestions(turnId, history);
  return questions.reduce((before, message) => ({ ...before, ...message.parameters }), parameters);
};

/** @returns the form that the last answer of a turn must have, if a message of the turn asks for one. */
export const findFormat = (
  turnId: string,
  history: readonly HistoryMessage[],
): ResponseFormat | undefined =>
  listQuestions(turnId, history).findLast(({ responseFormat }) => responseFormat)?.responseFormat ??
  undefined;

/** The message that a turn answers, and those that have entered it while it ran; none if reports have begun it. */
const listQuestions = (
  turnId: string,
  history: readonly HistoryMessage[],
): readonly HistoryMessage[] =>
  history.filter((message) => message.role === "user" && message.turnId === turnId);

/** Converts what a turn sets to what its model calls are asked for. */
export const toCallParameters = ({
  reasoning_effort: reasoningEffort,
  temperature,
  max_output_tokens: maxOutputTokens,
}: ChatParameters): CallParameters => ({
  ...(reasoningEffort !== undefined && { reasoningEffort }),
  ...(temperature !== undefined && { temperature }),
  ...(maxOutputTokens !== undefined && { maxOutputTokens }),
});
