import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ProviderName } from "@/contract/model";

/**
 * Adds cache breakpoints to the last leading system message and to the last two messages, so that
 * the next step finds the prefix of this one in the cache. Only Anthropic needs breakpoints; the
 * prompt of another provider is returned unchanged.
 */
export const addCacheBreakpoints = (
  prompt: LanguageModelV4Prompt,
  provider: ProviderName,
): LanguageModelV4Prompt => {
  if (provider !== "anthropic") return prompt;
  const firstNonSystem = prompt.findIndex((message) => message.role !== "system");
  const lastSystem = (firstNonSystem === -1 ? prompt.length : firstNonSystem) - 1;
  return prompt.map((message, index) =>
    index === lastSystem || index >= prompt.length - 2 ? addBreakpoint(message) : message,
  );
};

const addBreakpoint = (message: LanguageModelV4Message): LanguageModelV4Message => ({
  ...message,
  providerOptions: {
    ...message.providerOptions,
    anthropic: { ...message.providerOptions?.anthropic, cacheControl: { type: "ephemeral" } },
  },
});
