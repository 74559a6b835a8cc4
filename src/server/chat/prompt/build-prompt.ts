import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { HistoryMessage } from "@/server/db/rows";
import { toAssistantMessages } from "./assistant-messages";
import { toUserContent } from "./user-content";

type PromptInput = {
  /** System messages in prompt order; blank ones are omitted. */
  system: readonly string[];
  history: readonly HistoryMessage[];
  /** "provider/model" that reads the prompt; other models' reasoning and metadata are omitted. */
  model: string;
};

/**
 * Builds the prompt of the next step. Every provider accepts it for any history that the state
 * machine can produce: results follow their calls, roles alternate, and no text is empty.
 */
export const buildPrompt = ({ system, history, model }: PromptInput): LanguageModelV4Prompt => {
  const prompt: LanguageModelV4Message[] = system
    .filter((content) => content.trim() !== "")
    .map((content) => ({ role: "system", content }));
  for (const message of history) {
    if (message.role === "assistant") prompt.push(...toAssistantMessages(message, model));
    else if (message.role === "user") appendUserMessage(prompt, message);
  }
  return prompt;
};

/** Appends to a preceding user message, as when the answer between was interrupted while empty. */
const appendUserMessage = (prompt: LanguageModelV4Message[], message: HistoryMessage): void => {
  const content = toUserContent(message);
  if (content.length === 0) return;
  const last = prompt.at(-1);
  if (last?.role === "user") last.content.push(...content);
  else prompt.push({ role: "user", content });
};
