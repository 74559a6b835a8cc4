import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/**
 * The same messages without what only the model that they were prepared for understands: its
 * signed reasoning, its provider's own calls, its ids.
 */
export const forAnotherModel = (messages: LanguageModelV4Prompt): LanguageModelV4Prompt => {
  const foreign = new Set(messages.flatMap(providerCalls));
  return messages.map((message) => plain(message, foreign));
};

const providerCalls = (message: LanguageModelV4Message): string[] =>
  message.role === "assistant"
    ? message.content.flatMap((part) =>
        part.type === "tool-call" && part.providerExecuted ? part.toolCallId : [],
      )
    : [];

const plain = (
  message: LanguageModelV4Message,
  foreign: ReadonlySet<string>,
): LanguageModelV4Message => {
  switch (message.role) {
    case "system":
      return { role: message.role, content: message.content };
    case "user":
      return { role: message.role, content: message.content.map(bare) };
    case "tool":
      return { role: message.role, content: message.content.map(bare) };
    case "assistant":
      return {
        role: message.role,
        content: message.content
          .filter((part) => {
            if (part.type === "reasoning" || part.type === "reasoning-file") return false;
            return !("toolCallId" in part) || !foreign.has(part.toolCallId);
          })
          .map(bare),
      };
  }
};

const bare = <Part extends object>(part: Part): Part =>
  "providerOptions" in part ? { ...part, providerOptions: undefined } : part;
