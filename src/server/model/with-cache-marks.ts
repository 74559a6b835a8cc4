import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ProviderName } from "@/contract/model";

/**
 * Marks the ends of what a provider may cache: the last of the leading system messages, and the
 * last two messages, so that the next step finds the end of this one. Only Anthropic wants marks;
 * others get the prompt as it is.
 */
export const withCacheMarks = (
  prompt: LanguageModelV4Prompt,
  provider: ProviderName,
): LanguageModelV4Prompt => {
  if (provider !== "anthropic") return prompt;
  const firstOther = prompt.findIndex((message) => message.role !== "system");
  const lastSystem = (firstOther === -1 ? prompt.length : firstOther) - 1;
  return prompt.map((message, index) =>
    index === lastSystem || index >= prompt.length - 2 ? marked(message) : message,
  );
};

const marked = (message: LanguageModelV4Message): LanguageModelV4Message => ({
  ...message,
  providerOptions: {
    ...message.providerOptions,
    anthropic: { ...message.providerOptions?.anthropic, cacheControl: { type: "ephemeral" } },
  },
});
