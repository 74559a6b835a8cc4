import type { LanguageModelV4Prompt } from "@ai-sdk/provider";

/**
 * Joins all system messages into one at the beginning, for OpenAI-compatible servers: the chat templates of some models
 * refuse a second one, and any that comes later.
 */
export const joinSystemMessages = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt => {
  const texts = prompt.flatMap(({ role, content }) => (role === "system" ? content : []));
  if (texts.length === 0) return prompt;
  const rest = prompt.filter(({ role }) => role !== "system");
  return [{ role: "system", content: texts.join("\n\n") }, ...rest];
};
