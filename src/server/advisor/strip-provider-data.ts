import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { toTextOutput } from "@/server/model/adapt-prompt";

type ToolPart = Extract<LanguageModelV4Message, { role: "tool" }>["content"][number];

/**
 * Removes what only the model that wrote it can use: reasoning with its signatures, provider-executed calls
 * with their results, provider options such as ids, and messages that become empty.
 */
export const stripProviderData = (messages: LanguageModelV4Prompt): LanguageModelV4Prompt => {
  const providerCallIds = new Set(messages.flatMap(findProviderCallIds));
  return messages
    .map((message) => stripMessage(message, providerCallIds))
    .filter(({ content }) => content.length > 0);
};

const findProviderCallIds = (message: LanguageModelV4Message): string[] =>
  message.role === "assistant"
    ? message.content.flatMap((part) =>
        part.type === "tool-call" && part.providerExecuted ? part.toolCallId : [],
      )
    : [];

const stripMessage = (
  message: LanguageModelV4Message,
  foreign: ReadonlySet<string>,
): LanguageModelV4Message => {
  switch (message.role) {
    case "system":
      return { role: message.role, content: message.content };
    case "user":
      return {
        role: message.role,
        // A text before it names the file.
        content: message.content.filter(({ type }) => type === "text").map(omitProviderOptions),
      };
    case "tool":
      return {
        role: message.role,
        content: message.content.map((part) => omitImages(omitProviderOptions(part))),
      };
    case "assistant":
      return {
        role: message.role,
        content: message.content
          .filter((part) => {
            if (part.type === "reasoning" || part.type === "reasoning-file") return false;
            return !("toolCallId" in part) || !foreign.has(part.toolCallId);
          })
          .map(omitProviderOptions),
      };
  }
};

/** The advisor gets texts: images would be larger than all of them. */
const omitImages = (part: ToolPart): ToolPart =>
  part.type === "tool-result" && part.output.type === "content"
    ? { ...part, output: toTextOutput(part.output) }
    : part;

const omitProviderOptions = <Part extends object>(part: Part): Part =>
  "providerOptions" in part ? { ...part, providerOptions: undefined } : part;
