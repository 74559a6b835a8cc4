import type { LanguageModelV4Prompt } from "@ai-sdk/provider";

const OPENING = "(What was said before this is left out.)";

/**
 * Some providers want a conversation to begin with the user, and a tool call to follow somebody's
 * words. A chat's own prompt does; a window of one may begin in the middle.
 */
export const withOpening = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt => {
  const first = prompt.findIndex(({ role }) => role !== "system");
  if (prompt[first]?.role !== "assistant") return prompt;
  const opening = { role: "user" as const, content: [{ type: "text" as const, text: OPENING }] };
  return prompt.toSpliced(first, 0, opening);
};
