import type {
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { HistoryMessage, PartRow, ToolCallPartRow } from "@/server/db/rows";
import { providerCallId, providerToolName } from "./provider-name";
import { toolResultPart } from "./tool-result-part";

type AssistantContent = (
  | LanguageModelV4TextPart
  | LanguageModelV4ReasoningPart
  | LanguageModelV4ToolCallPart
  | LanguageModelV4ToolResultPart
)[];

/** An assistant message and, when it called tools, the message with their results in call order. */
export const assistantMessages = (
  message: HistoryMessage,
  model: string,
): LanguageModelV4Message[] => {
  const sameAuthor = message.model === model;
  const content: AssistantContent = [];
  const results: LanguageModelV4ToolResultPart[] = [];
  for (const part of message.parts) {
    if (part.type !== "tool_call") addText(content, part, sameAuthor);
    else if (part.kind !== "provider") {
      content.push(toolCallPart(part, sameAuthor));
      results.push(toolResultPart(part));
    } else if (sameAuthor && part.output !== undefined) {
      // A provider's own call is valid only with its result, and only at that provider.
      content.push({ ...toolCallPart(part, true), providerExecuted: true }, toolResultPart(part));
    }
  }
  if (!content.some(({ type }) => type !== "reasoning")) return [];
  const assistant: LanguageModelV4Message = { role: "assistant", content };
  return results.length === 0 ? [assistant] : [assistant, { role: "tool", content: results }];
};

const addText = (
  content: AssistantContent,
  part: Exclude<PartRow, ToolCallPartRow>,
  sameAuthor: boolean,
): void => {
  if (part.type === "text") {
    if (part.text.trim() === "") return;
    content.push({ type: "text", text: part.text, ...options(part, sameAuthor) });
  } else if (part.type === "reasoning" && sameAuthor) {
    // Signed reasoning is replayed even when its text was withheld.
    if (part.text === "" && part.providerMetadata === undefined) return;
    content.push({ type: "reasoning", text: part.text, ...options(part, sameAuthor) });
  }
};

const toolCallPart = (part: ToolCallPartRow, sameAuthor: boolean): LanguageModelV4ToolCallPart => ({
  type: "tool-call",
  toolCallId: providerCallId(part.toolCallId),
  toolName: providerToolName(part.toolName),
  input: isObject(part.args) ? part.args : {},
  ...options(part, sameAuthor),
});

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const options = (
  part: { providerMetadata?: SharedV4ProviderOptions | undefined },
  sameAuthor: boolean,
): { providerOptions?: SharedV4ProviderOptions } =>
  sameAuthor && part.providerMetadata ? { providerOptions: part.providerMetadata } : {};
