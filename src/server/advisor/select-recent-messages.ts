import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { cutText } from "@/lib/cut-text";

/** Limit for the conversation, in bytes of JSON. */
const MAX_CONVERSATION_BYTES = 12_000;
const MAX_CONVERSATION_MESSAGES = 20;
/** A shorter text would be little more than the note about what was removed from it. */
const MIN_TEXT_BYTES = 400;

/**
 * Selects the newest messages of a conversation. One that does not fit is cut to half of the bytes that
 * remain, so that a long result leaves room for what led to it, and the window has no gap.
 */
export const selectRecentMessages = (
  conversation: LanguageModelV4Prompt,
): LanguageModelV4Prompt => {
  const candidates = conversation.slice(-MAX_CONVERSATION_MESSAGES).reverse();
  let remainingBytes = MAX_CONVERSATION_BYTES;
  const selected: LanguageModelV4Prompt = [];
  for (const message of candidates) {
    const isOldest = selected.length === candidates.length - 1;
    const fitting =
      countJsonBytes(message) <= remainingBytes
        ? message
        : cutMessage(message, isOldest ? remainingBytes : Math.floor(remainingBytes / 2));
    if (!fitting) break;
    remainingBytes -= countJsonBytes(fitting);
    selected.push(fitting);
  }
  return selected.reverse();
};

export const countJsonBytes = (message: LanguageModelV4Message): number =>
  Buffer.byteLength(JSON.stringify(message));

/**
 * Cuts the long texts of a message at head and tail. Of a message with too many parts, the last ones stay.
 *
 * @returns undefined when nothing of it fits.
 */
const cutMessage = (
  message: LanguageModelV4Message,
  maxBytes: number,
): LanguageModelV4Message | undefined => {
  if (message.role === "system") return undefined;
  for (let textBytes = maxBytes; textBytes >= MIN_TEXT_BYTES;) {
    const cut = cutTexts(message, textBytes);
    const bytes = countJsonBytes(cut);
    if (bytes <= maxBytes) return cut;
    textBytes = Math.floor((textBytes * maxBytes) / bytes);
  }
  const dropped = Math.ceil(message.content.length / 2);
  return message.content.length > 1 ? cutMessage(dropParts(message, dropped), maxBytes) : undefined;
};

type ConversationMessage = Exclude<LanguageModelV4Message, { role: "system" }>;
type ConversationPart = ConversationMessage["content"][number];

const mapContent = (
  message: ConversationMessage,
  change: <Part extends ConversationPart>(content: Part[]) => Part[],
): ConversationMessage => {
  switch (message.role) {
    case "user":
      return { ...message, content: change(message.content) };
    case "assistant":
      return { ...message, content: change(message.content) };
    case "tool":
      return { ...message, content: change(message.content) };
  }
};

const dropParts = (message: ConversationMessage, count: number): ConversationMessage =>
  mapContent(message, (content) => content.slice(count));

const cutTexts = (message: ConversationMessage, maxBytes: number): ConversationMessage =>
  mapContent(message, (content) =>
    content.map((part) => ({ ...part, ...cutFields(part, maxBytes) })),
  );

/** @returns the fields of the part that are cut. */
const cutFields = (part: ConversationPart, maxBytes: number): Partial<ConversationPart> => {
  const cut = (text: string): string =>
    cutText(text, { maxBytes, marker: (bytes) => `\n… ${bytes} bytes left out …\n` });
  if (part.type === "text") return { text: cut(part.text) };
  if (part.type === "tool-call") {
    const json = JSON.stringify(part.input);
    const shown = cut(json);
    return shown === json ? {} : { input: { arguments: shown } };
  }
  if (part.type !== "tool-result") return {};
  const { output } = part;
  if (output.type === "text" || output.type === "error-text") {
    return { output: { ...output, value: cut(output.value) } };
  }
  if (output.type !== "json" && output.type !== "error-json") return {};
  const json = JSON.stringify(output.value);
  const shown = cut(json);
  if (shown === json) return {};
  return { output: { type: output.type === "json" ? "text" : "error-text", value: shown } };
};
