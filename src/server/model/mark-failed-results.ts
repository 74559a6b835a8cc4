import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";

/**
 * Wraps the outputs of failed calls in `{"error": …}` for OpenAI-compatible servers. Their API has no field
 * for a failure, and their client sends the bare output, which looks like a success to the model. The clients
 * of the other providers mark failures themselves.
 */
export const markFailedResults = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
  prompt.map((message) =>
    message.role === "tool" ? { ...message, content: message.content.map(markFailure) } : message,
  );

const markFailure = <Part extends { type: string }>(
  part: Part | LanguageModelV4ToolResultPart,
): Part | LanguageModelV4ToolResultPart => {
  if (!isToolResult(part)) return part;
  const { output } = part;
  if (output.type !== "error-text" && output.type !== "error-json") return part;
  return { ...part, output: { type: "error-json", value: { error: output.value } } };
};

const isToolResult = (part: { type: string }): part is LanguageModelV4ToolResultPart =>
  part.type === "tool-result";
