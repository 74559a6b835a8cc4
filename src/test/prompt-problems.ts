import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/**
 * Finds what a strict provider would reject in a prompt: tool calls without exactly one result each, an id
 * that two calls have, also of different messages, an invalid order of roles, and empty content.
 */
export const findPromptProblems = (prompt: LanguageModelV4Prompt): string[] => {
  const problems: string[] = [];
  const ids = prompt.flatMap(findAllCallIds);
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) {
    problems.push(`the id "${id}" is used for two calls`);
  }
  let previous: LanguageModelV4Message | undefined;
  for (const [index, message] of prompt.entries()) {
    problems.push(...findOrderProblems(message, previous).map((problem) => `${index}: ${problem}`));
    problems.push(...findContentProblems(message).map((problem) => `${index}: ${problem}`));
    previous = message;
  }
  if (findCallIds(previous).length > 0) problems.push("the last message has calls without results");
  if (previous?.role === "assistant") problems.push("an assistant message is last");
  return problems;
};

const findOrderProblems = (
  message: LanguageModelV4Message,
  previous: LanguageModelV4Message | undefined,
): string[] => {
  const open = findCallIds(previous);
  if (message.role !== "tool") {
    const problems = open.length > 0 ? [`calls without results: ${open.join(", ")}`] : [];
    if (message.role === "system" && previous && previous.role !== "system") {
      problems.push("a system message is not first");
    }
    if (message.role === previous?.role && message.role !== "system") {
      problems.push(`two ${message.role} messages in a row`);
    }
    if (message.role === "assistant" && previous?.role !== "user" && previous?.role !== "tool") {
      problems.push("an assistant message without a question");
    }
    return problems;
  }
  const answered = message.content.flatMap((part) =>
    part.type === "tool-result" ? part.toolCallId : [],
  );
  return answered.join() === open.join()
    ? []
    : [`results [${answered.join()}] do not match the calls [${open.join()}]`];
};

/** Finds the ids of calls that need a result in the next message, in call order. */
const findCallIds = (message: LanguageModelV4Message | undefined): string[] =>
  message?.role === "assistant"
    ? message.content.flatMap((part) =>
        part.type === "tool-call" && !part.providerExecuted ? part.toolCallId : [],
      )
    : [];

const findAllCallIds = (message: LanguageModelV4Message): string[] =>
  message.role === "assistant"
    ? message.content.flatMap((part) => (part.type === "tool-call" ? part.toolCallId : []))
    : [];

const findContentProblems = (message: LanguageModelV4Message): string[] => {
  if (message.role === "system") return message.content.trim() === "" ? ["empty system text"] : [];
  const problems = message.content.length === 0 ? [`an empty ${message.role} message`] : [];
  for (const part of message.content) {
    if (part.type === "text" && part.text.trim() === "") problems.push("an empty text");
    if (part.type === "tool-call" && part.toolName === "") problems.push("a call without a name");
    if (part.type === "tool-call" && (typeof part.input !== "object" || part.input === null)) {
      problems.push("arguments that are no object");
    }
  }
  return problems;
};
