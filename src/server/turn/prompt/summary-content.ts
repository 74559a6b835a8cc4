import type { LanguageModelV4TextPart } from "@ai-sdk/provider";
import type { HistoryMessage } from "@/server/db/chats/rows";
import { findSummary, readSummaryText } from "@/server/machine/model-history";
import { escapeOwnTags } from "./own-tags";

/** Renders the summary of a boundary as data, as a model wrote it from what others had said; nothing for any other message. */
export const toSummaryContent = (message: HistoryMessage): LanguageModelV4TextPart[] => {
  const text = findSummary(message) ? readSummaryText(message).trim() : "";
  return text === "" ? [] : [{ type: "text", text: renderSummary(text) }];
};

const renderSummary = (text: string): string =>
  `<conversation_summary>\n${HEAD}\n\n${escapeOwnTags(text)}\n</conversation_summary>`;

const HEAD =
  "The conversation before this point is left out, as it has become too long. This is its summary. Go on from there.";
