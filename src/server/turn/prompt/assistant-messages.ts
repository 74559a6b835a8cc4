import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { HistoryMessage, PartRow, ToolCallPartRow } from "@/server/db/chats/rows";
import { getLocalCalls } from "@/server/turn/decide-next";
import { calculateResultShare } from "@/server/turn/result-share";
import type { createProviderCalls } from "./provider-calls";
import { toProviderToolName } from "./provider-name";
import type { ResultImages } from "./result-images";
import { findSignedImage, type SignedImages } from "./signed-images";
import { toToolResultPart } from "./tool-result-part";

type AssistantContent = (
  | LanguageModelV4FilePart
  | LanguageModelV4TextPart
  | LanguageModelV4ReasoningPart
  | LanguageModelV4ToolCallPart
  | LanguageModelV4ToolResultPart
)[];

type PromptReader = {
  whole: ReadonlySet<HistoryMessage>;
  toProviderCall: ReturnType<typeof createProviderCalls>;
  toCallId: (id: string) => string;
  contextLimit: number | null;
  images: ResultImages;
  signedImages: SignedImages;
  isOffered: (toolName: string) => boolean;
  onTruncated: (call: ToolCallPartRow) => void;
};

/**
 * Converts an assistant message and, if it has tool calls, adds a message with their results.
 *
 * @param reader.whole answers that go back as they were; the metadata of others is omitted.
 * @param reader.toProviderCall converts calls that the provider has run, in order.
 * @param reader.images shown with the results that name them.
 * @param reader.signedImages stand in the place of their addresses.
 * @param reader.isOffered whether the model is offered a tool, which notes on results may name.
 * @param reader.onTruncated called for each result that is cut to its share.
 * @param reader.toCallId gives the calls of the prompt their ids, in order.
 */
export const toAssistantMessages = (
  message: HistoryMessage,
  { whole, toCallId, contextLimit, signedImages, ...reader }: PromptReader,
): LanguageModelV4Message[] => {
  const maxBytes = calculateResultShare(contextLimit, getLocalCalls(message).length);
  const resultReader = { ...reader, maxBytes };
  const content: AssistantContent = [];
  const results: LanguageModelV4ToolResultPart[] = [];
  const isWhole = whole.has(message);
  for (const part of message.parts) {
    if (part.type !== "tool_call") {
      const image = isWhole ? signedImages.get(findSignedImage(part) ?? "") : undefined;
      if (image) content.push(toFilePart(image, part));
      else addTextPart(content, part, isWhole);
      continue;
    }
    if (part.kind === "provider" && !isWhole) continue;
    const call = { ...part, toolCallId: toCallId(part.toolCallId) };
    const called = toToolCallPart(call, isWhole);
    if (part.kind === "provider") content.push(...reader.toProviderCall(part, called));
    else {
      content.push(called);
      results.push(toToolResultPart(call, resultReader));
    }
  }
  if (!content.some(({ type }) => type !== "reasoning")) return [];
  const assistant: LanguageModelV4Message = { role: "assistant", content };
  return results.length === 0 ? [assistant] : [assistant, { role: "tool", content: results }];
};

const toFilePart = (
  { mediaType, bytes }: NonNullable<ReturnType<SignedImages["get"]>>,
  part: Exclude<PartRow, ToolCallPartRow>,
): LanguageModelV4FilePart => ({
  type: "file",
  mediaType,
  data: { type: "data", data: bytes },
  ...("providerMetadata" in part && toProviderOptions(part, true)),
});

const addTextPart = (
  content: AssistantContent,
  part: Exclude<PartRow, ToolCallPartRow>,
  sameAuthor: boolean,
): void => {
  if (part.type === "text") {
    if (part.text.trim() === "") return;
    // The signature of an image is not that of its address.
    const hasOptions = sameAuthor && findSignedImage(part) === undefined;
    content.push({ type: "text", text: part.text, ...toProviderOptions(part, hasOptions) });
  } else if (part.type === "reasoning" && sameAuthor) {
    // Reasoning with a signature is sent back even if the provider withheld its text.
    if (part.text === "" && part.providerMetadata === undefined) return;
    content.push({ type: "reasoning", text: part.text, ...toProviderOptions(part, sameAuthor) });
  }
};

const toToolCallPart = (
  part: ToolCallPartRow,
  sameAuthor: boolean,
): LanguageModelV4ToolCallPart => ({
  type: "tool-call",
  toolCallId: part.toolCallId,
  toolName: toProviderToolName(part.toolName),
  input: isObject(part.args) ? part.args : {},
  ...toProviderOptions(part, sameAuthor),
});

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const toProviderOptions = (
  part: { providerMetadata?: SharedV4ProviderOptions | undefined },
  sameAuthor: boolean,
): { providerOptions?: SharedV4ProviderOptions } =>
  sameAuthor && part.providerMetadata ? { providerOptions: part.providerMetadata } : {};
