import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/**
 * Drops tool results whose call is not before them, and messages that are left empty: a window
 * may begin between a call and its results, and providers refuse that.
 */
export const withoutOrphans = (messages: LanguageModelV4Prompt): LanguageModelV4Prompt => {
  const called = new Set<string>();
  return messages.flatMap((message): LanguageModelV4Message[] => {
    if (message.role === "tool") {
      const content = message.content.filter(
        (part) => part.type !== "tool-result" || called.has(part.toolCallId),
      );
      return content.length === 0 ? [] : [{ ...message, content }];
    }
    if (message.role !== "assistant") return message.content.length === 0 ? [] : [message];
    const content = message.content.filter((part) => {
      if (part.type === "tool-call") called.add(part.toolCallId);
      return part.type !== "tool-result" || called.has(part.toolCallId);
    });
    return content.length === 0 ? [] : [{ ...message, content }];
  });
};
