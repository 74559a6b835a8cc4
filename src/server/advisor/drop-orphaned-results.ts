import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/**
 * Drops tool results without a preceding call, and messages that become empty. A window of the
 * conversation may begin between a call and its results, which providers reject.
 */
export const dropOrphanedResults = (messages: LanguageModelV4Prompt): LanguageModelV4Prompt => {
  const callIds = new Set<string>();
  return messages.flatMap((message): LanguageModelV4Message[] => {
    if (message.role === "tool") {
      const content = message.content.filter(
        (part) => part.type !== "tool-result" || callIds.has(part.toolCallId),
      );
      return content.length === 0 ? [] : [{ ...message, content }];
    }
    if (message.role !== "assistant") return message.content.length === 0 ? [] : [message];
    const content = message.content.filter((part) => {
      if (part.type === "tool-call") callIds.add(part.toolCallId);
      return part.type !== "tool-result" || callIds.has(part.toolCallId);
    });
    return content.length === 0 ? [] : [{ ...message, content }];
  });
};
