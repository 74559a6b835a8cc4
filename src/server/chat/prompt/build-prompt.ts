import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { HistoryMessage } from "@/server/db/rows";
import { assistantMessages } from "./assistant-messages";
import { userContent } from "./user-content";

type PromptInput = {
  /** In the order in which the model reads them; blank ones are left out. */
  system: readonly string[];
  history: readonly HistoryMessage[];
  /** "provider/model" that will read it: what only its author understands is left out for others. */
  model: string;
};

/**
 * The prompt of the next step. For any history that the machine can produce it is one that every
 * provider takes: each tool call is followed by its result, roles alternate, no text is empty.
 */
export const buildPrompt = ({ system, history, model }: PromptInput): LanguageModelV4Prompt => {
  const prompt: LanguageModelV4Message[] = system
    .filter((content) => content.trim() !== "")
    .map((content) => ({ role: "system", content }));
  for (const message of history) {
    if (message.role === "assistant") prompt.push(...assistantMessages(message, model));
    else if (message.role === "user") pushUser(prompt, message);
  }
  return prompt;
};

/** An answer that was interrupted before its first word leaves two user messages in a row. */
const pushUser = (prompt: LanguageModelV4Message[], message: HistoryMessage): void => {
  const content = userContent(message);
  if (content.length === 0) return;
  const last = prompt.at(-1);
  if (last?.role === "user") last.content.push(...content);
  else prompt.push({ role: "user", content });
};
