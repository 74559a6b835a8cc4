import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Group } from "@/contract/group";
import type { ChatRow, HistoryMessage, ToolCallPartRow } from "@/server/db/chats/rows";
import { toAssistantMessages } from "./assistant-messages";
import { createProviderCalls, findWholeAnswers, type OfferedByProvider } from "./provider-calls";
import { createCallIds } from "./provider-name";
import type { MessageFiles } from "./message-files";
import { getFormatErrors } from "@/server/turn/format-errors";
import { createRepairPrompt } from "./format-prompt";
import { toReportContent } from "./report-content";
import type { ResultImages } from "./result-images";
import type { SignedImages } from "./signed-images";
import { toSummaryContent } from "./summary-content";
import { toUserContent, type UserContentPart } from "./user-content";

type PromptInput = {
  /** System messages in prompt order; blank ones are omitted. */
  system: readonly string[];
  /** What the model reads of it: see `toModelHistory`. */
  history: readonly HistoryMessage[];
  /** Of the model, in tokens; each result gets its share. Null when it is not known. */
  contextLimit?: number | null;
  /** Called for each result of the last message that is cut here. */
  onTruncated?: (call: ToolCallPartRow) => void;
  /** Of user messages. */
  files?: MessageFiles;
  /** Shown with the results of the last message. */
  images?: ResultImages;
  /** Of answers of this model, to be returned to it. */
  signedImages?: SignedImages;
  /** Whether the model is offered a tool, which notes on results may name; none by default. */
  isOffered?: (toolName: string) => boolean;
  /** "provider/model" that reads the prompt; other models' reasoning and metadata are omitted. */
  model: string;
  /** The tools of the request that its provider runs; none by default. */
  offeredByProvider?: OfferedByProvider | undefined;
};

/**
 * Builds the prompt of the next step. Every provider accepts it for any history that the state
 * machine can produce: results follow their calls, ids are
 * unique, roles alternate, and no text is empty.
 */
export const buildPrompt = ({
  system,
  history,
  files = NO_FILES,
  images = NO_IMAGES,
  signedImages = NO_SIGNED_IMAGES,
  contextLimit = null,
  onTruncated = ignore,
  isOffered = () => false,
  model,
  offeredByProvider,
}: PromptInput): LanguageModelV4Prompt => {
  const prompt: LanguageModelV4Message[] = system
    .filter((content) => content.trim() !== "")
    .map((content) => ({ role: "system", content }));
  const reader = {
    contextLimit,
    whole: findWholeAnswers(history, { model, contextLimit, offered: offeredByProvider }),
    toProviderCall: createProviderCalls(),
    isOffered,
    toCallId: createCallIds(),
    images: NO_IMAGES,
    signedImages,
    onTruncated: ignore,
  };
  const last = history.at(-1);
  const given = new Set<string>();
  for (const message of history) {
    const ofMessage = message === last ? { ...reader, images, onTruncated } : reader;
    if (message.role === "assistant") {
      prompt.push(...toAssistantMessages(message, ofMessage));
      appendUserContent(prompt, toRepairContent(message));
    } else if (message.role === "user") {
      appendUserContent(prompt, toUserContent(message, { files, given }));
    } else if (message.role === "event") {
      appendUserContent(prompt, toSummaryContent(message));
      appendUserContent(prompt, toReportContent(message, isOffered));
    }
  }
  return prompt;
};

/** It stays in the history, so that a cache of the prompt does. */
const toRepairContent = (message: HistoryMessage): UserContentPart[] => {
  const errors = getFormatErrors(message);
  return errors.length === 0 ? [] : [{ type: "text", text: createRepairPrompt(errors) }];
};

const NO_FILES: MessageFiles = new Map();
const NO_IMAGES: ResultImages = new Map();
const NO_SIGNED_IMAGES: SignedImages = new Map();
const ignore = (): void => undefined;

/** Appends to a preceding user message, as when the answer between was interrupted while empty. */
const appendUserContent = (prompt: LanguageModelV4Message[], content: UserContentPart[]): void => {
  if (content.length === 0) return;
  const last = prompt.at(-1);
  if (last?.role === "user") last.content.push(...content);
  else prompt.push({ role: "user", content });
};

/** The first system message of every prompt. */
const DEPLOYMENT_PROMPT = `You answer in a chat. Write GitHub-flavoured Markdown, and keep to the user's language.
Use the offered tools when they help; never say that a tool did something unless its result says so. A result that is an error, cancelled, timed out or denied means that the call did not succeed.`;

/**
 * Creates the system messages of a chat, in prompt order: what is more specific comes later. They follow from what is
 * chosen now, so that nothing has to be restored when a group is removed.
 */
export const createSystemPrompts = (
  chat: Pick<ChatRow, "systemPrompt">,
  groups: readonly Group[],
): string[] => [
  groups.every((group) => group.include_default_prompt) ? DEPLOYMENT_PROMPT : "",
  ...groups.map(({ prompt }) => prompt),
  chat.systemPrompt ?? "",
];

/** Lists the system messages of a chat that began with a history; no other has some. */
export const listSystemTexts = (history: readonly HistoryMessage[]): string[] =>
  history
    .filter(({ role }) => role === "system")
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? part.text : [])));
