import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";

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

const ANSWER: LanguageModelV4Message = {
  role: "assistant",
  content: [{ type: "text", text: "(These were the results.)" }],
};

/**
 * Inserts an answer between results and a user message for OpenAI-compatible servers, as the chat templates
 * of some models refuse that order. It is the order after a turn that ended with its calls, and of an advisor's
 * question, so it says nothing of why.
 */
export const answerBeforeUser = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
  prompt.flatMap((message, index) =>
    message.role === "user" && prompt[index - 1]?.role === "tool" ? [ANSWER, message] : [message],
  );

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

type Message = LanguageModelV4Prompt[number];
type ToolPart = Extract<Message, { role: "tool" }>["content"][number];
type UserPart = Extract<Message, { role: "user" }>["content"][number];
type ContentOutput = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>;
type TextOutput = Extract<LanguageModelV4ToolResultOutput, { type: "text" }>;

/** Moves the images of results into one user message after them, for a model whose API takes none in results. */
export const moveImages = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
  prompt.flatMap((message) => (message.role === "tool" ? splitImages(message) : [message]));

/** Replaces the images of messages and results by a sentence, for a model that cannot see any. */
export const withoutImages = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
  prompt.map((message) => {
    if (message.role === "user") {
      const content = message.content.map((part) =>
        isImage(part) ? { type: "text" as const, text: NOTE } : part,
      );
      return { ...message, content };
    }
    if (message.role !== "tool") return message;
    const content = message.content.map((part) =>
      isImageResult(part) ? { ...part, output: toTextOutput(addNote(part.output)) } : part,
    );
    return { ...message, content };
  });

export const hasImages = (prompt: LanguageModelV4Prompt): boolean =>
  prompt.some(
    (message) =>
      (message.role === "tool" && message.content.some(isImageResult)) ||
      (message.role === "user" && message.content.some(isImage)),
  );

export const hasPdfs = (prompt: LanguageModelV4Prompt): boolean =>
  prompt.some((message) => message.role === "user" && message.content.some(isPdf));

const isImage = (part: UserPart): boolean =>
  part.type === "file" && part.mediaType.startsWith("image/");

const isPdf = (part: UserPart): boolean =>
  part.type === "file" && part.mediaType === "application/pdf";

const isImageResult = (part: ToolPart): part is ToolPart & { output: ContentOutput } =>
  part.type === "tool-result" &&
  part.output.type === "content" &&
  part.output.value.some(({ type }) => type === "file");

const NOTE =
  "The image is not shown to you, as you cannot see images: say so if the answer depends on it.";

const addNote = ({ value, ...output }: ContentOutput): ContentOutput => ({
  ...output,
  value: [...value, { type: "text", text: NOTE }],
});

const splitImages = (message: Extract<Message, { role: "tool" }>): Message[] => {
  const images: LanguageModelV4FilePart[] = [];
  const content = message.content.map((part) => {
    if (part.type !== "tool-result" || part.output.type !== "content") return part;
    images.push(...part.output.value.filter((item) => item.type === "file"));
    return { ...part, output: toTextOutput(part.output) };
  });
  if (images.length === 0) return [message];
  const text = {
    type: "text" as const,
    text: "These are the images of the results, in their order.",
  };
  return [
    { ...message, content },
    { role: "user", content: [text, ...images] },
  ];
};

/** @returns the texts of an output without its images. */
export const toTextOutput = ({ value }: ContentOutput): TextOutput => ({
  type: "text",
  value: value.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n"),
});
