import type { LanguageModelV4TextPart } from "@ai-sdk/provider";
import type { HistoryMessage } from "@/server/db/rows";

/** Converts the texts of a user message; omits blank ones, which providers reject. */
export const toUserContent = (message: HistoryMessage): LanguageModelV4TextPart[] => {
  const content: LanguageModelV4TextPart[] = [];
  for (const part of message.parts) {
    if (part.type === "text" && part.text.trim() !== "") {
      content.push({ type: "text", text: part.text });
    }
  }
  return content;
};
