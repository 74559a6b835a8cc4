import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/**
 * Drops tool results without their call, calls without their result, and messages that become empty. A
 * window of the conversation may begin between a call and its result, which providers reject.
 */
export const dropUnpairedCalls = (messages: LanguageModelV4Prompt): LanguageModelV4Prompt => {
  const called = findIds(messages, "tool-call");
  const answered = findIds(messages, "tool-result");
  const isPaired = (part: object): boolean =>
    !hasCallId(part) || (called.has(part.toolCallId) && answered.has(part.toolCallId));
  return messages.flatMap((message): LanguageModelV4Message[] => {
    if (message.role === "system") return [message];
    if (message.role === "user") return message.content.length === 0 ? [] : [message];
    const kept =
      message.role === "tool"
        ? { ...message, content: message.content.filter(isPaired) }
        : { ...message, content: message.content.filter(isPaired) };
    return kept.content.length === 0 ? [] : [kept];
  });
};

const findIds = (
  messages: LanguageModelV4Prompt,
  type: "tool-call" | "tool-result",
): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ content }) =>
      typeof content === "string"
        ? []
        : content.flatMap((part) => (part.type === type ? part.toolCallId : [])),
    ),
  );

const hasCallId = (part: object): part is { toolCallId: string } => "toolCallId" in part;
