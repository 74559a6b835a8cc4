import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/**
 * Adds cache breakpoints to the last leading system message and to the last two messages, so that
 * the next step finds the prefix of this one in the cache, as Anthropic needs it.
 */
export const addCacheBreakpoints = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt => {
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
