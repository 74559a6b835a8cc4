import type {
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { HistoryMessage, PartRow, ToolCallPartRow } from "@/server/db/rows";
import { toProviderCallId, toProviderToolName } from "./provider-name";
import { toToolResultPart } from "./tool-result-part";

type AssistantContent = (
  | LanguageModelV4TextPart
  | LanguageModelV4ReasoningPart
  | LanguageModelV4ToolCallPart
  | LanguageModelV4ToolResultPart
)[];

/**
 * Converts an assistant message and, if it has tool calls, adds a message with their results.
 *
 * @param model "provider/model" that reads the prompt; other models' metadata is omitted.
 */
export const toAssistantMessages = (
  message: HistoryMessage,
  model: string,
): LanguageModelV4Message[] => {
  const isSameModel = message.model === model;
  const content: AssistantContent = [];
  const results: LanguageModelV4ToolResultPart[] = [];
  for (const part of message.parts) {
    if (part.type !== "tool_call") addTextPart(content, part, isSameModel);
    else if (part.kind !== "provider") {
      content.push(toToolCallPart(part, isSameModel));
      results.push(toToolResultPart(part));
    } else if (isSameModel && part.output !== undefined) {
      // A provider-executed call is valid only at its provider and only with its result.
      content.push(
        { ...toToolCallPart(part, true), providerExecuted: true },
        toToolResultPart(part),
      );
    }
  }
  if (!content.some(({ type }) => type !== "reasoning")) return [];
  const assistant: LanguageModelV4Message = { role: "assistant", content };
  return results.length === 0 ? [assistant] : [assistant, { role: "tool", content: results }];
};

const addTextPart = (
  content: AssistantContent,
  part: Exclude<PartRow, ToolCallPartRow>,
  sameAuthor: boolean,
): void => {
  if (part.type === "text") {
    if (part.text.trim() === "") return;
    content.push({ type: "text", text: part.text, ...toProviderOptions(part, sameAuthor) });
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
  toolCallId: toProviderCallId(part.toolCallId),
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
