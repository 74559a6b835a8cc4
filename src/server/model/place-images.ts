import type {
  LanguageModelV4FilePart,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import { getProvider } from "./catalog/providers/all-providers";
import type { ChatModel } from "./model-step";

type Message = LanguageModelV4Prompt[number];
type ToolPart = Extract<Message, { role: "tool" }>["content"][number];
type ContentOutput = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>;

/** Moves the images of results into one user message after them, for a model whose API takes none in results. */
export const placeImages = (
  prompt: LanguageModelV4Prompt,
  { provider, model }: Pick<ChatModel, "provider" | "model">,
): LanguageModelV4Prompt =>
  getProvider(provider).takesImagesInResults?.(model)
    ? prompt
    : prompt.flatMap((message) => (message.role === "tool" ? splitImages(message) : [message]));

/** Replaces the images of results by a sentence, for a model that cannot see any. */
export const withoutImages = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
  prompt.map((message) => {
    if (message.role !== "tool") return message;
    const content = message.content.map((part) =>
      hasImages(part) ? { ...part, output: toTextOutput(addNote(part.output)) } : part,
    );
    return { ...message, content };
  });

export const hasImageResults = (prompt: LanguageModelV4Prompt): boolean =>
  prompt.some(({ role, content }) => role === "tool" && content.some(hasImages));

const hasImages = (part: ToolPart): part is ToolPart & { output: ContentOutput } =>
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
export const toTextOutput = ({ value }: ContentOutput): LanguageModelV4ToolResultOutput => ({
  type: "text",
  value: value.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n"),
});
