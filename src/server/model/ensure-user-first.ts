import type { LanguageModelV4Prompt } from "@ai-sdk/provider";

const PLACEHOLDER = "(What was said before this is left out.)";

/**
 * Inserts a user message when a prompt begins with an assistant message, which some providers
 * reject. This happens when a prompt is a window of a longer history.
 */
export const ensureUserFirst = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt => {
  const first = prompt.findIndex(({ role }) => role !== "system");
  if (prompt[first]?.role !== "assistant") return prompt;
  const content = [{ type: "text" as const, text: PLACEHOLDER }];
  return prompt.toSpliced(first, 0, { role: "user", content });
};
