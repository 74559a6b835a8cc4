import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

const ANSWER: LanguageModelV4Message = {
  role: "assistant",
  content: [{ type: "text", text: "(No answer was needed.)" }],
};

/**
 * Inserts an answer between results and a user message for OpenAI-compatible servers, as the chat templates
 * of some models refuse that order. It is the order after a turn that ended with its calls.
 */
export const answerBeforeUser = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
  prompt.flatMap((message, index) =>
    message.role === "user" && prompt[index - 1]?.role === "tool" ? [ANSWER, message] : [message],
  );
