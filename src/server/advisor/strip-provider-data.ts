import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/**
 * Removes what another model rejects: reasoning with its signatures, provider-executed calls with
 * their results, and provider options such as ids.
 */
export const stripProviderData = (messages: LanguageModelV4Prompt): LanguageModelV4Prompt => {
  const providerCallIds = new Set(messages.flatMap(findProviderCallIds));
  return messages.map((message) => stripMessage(message, providerCallIds));
};

const findProviderCallIds = (message: LanguageModelV4Message): string[] =>
  message.role === "assistant"
    ? message.content.flatMap((part) =>
        part.type === "tool-call" && part.providerExecuted ? part.toolCallId : [],
      )
    : [];

const stripMessage = (
  message: LanguageModelV4Message,
  foreign: ReadonlySet<string>,
): LanguageModelV4Message => {
  switch (message.role) {
    case "system":
      return { role: message.role, content: message.content };
    case "user":
      return { role: message.role, content: message.content.map(omitProviderOptions) };
    case "tool":
      return { role: message.role, content: message.content.map(omitProviderOptions) };
    case "assistant":
      return {
        role: message.role,
        content: message.content
          .filter((part) => {
            if (part.type === "reasoning" || part.type === "reasoning-file") return false;
            return !("toolCallId" in part) || !foreign.has(part.toolCallId);
          })
          .map(omitProviderOptions),
      };
  }
};

const omitProviderOptions = <Part extends object>(part: Part): Part =>
  "providerOptions" in part ? { ...part, providerOptions: undefined } : part;
