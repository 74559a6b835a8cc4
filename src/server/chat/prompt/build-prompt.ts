import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
} from "@ai-sdk/provider";
import type { HistoryMessage } from "@/server/db/rows";
import { toAssistantMessages } from "./assistant-messages";

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

/** Converts the texts of a user message; omits blank ones, which providers reject. */
const toUserContent = (message: HistoryMessage): LanguageModelV4TextPart[] => {
  const content: LanguageModelV4TextPart[] = [];
  for (const part of message.parts) {
    if (part.type === "text" && part.text.trim() !== "") {
      content.push({ type: "text", text: part.text });
    }
  }
  return content;
};
