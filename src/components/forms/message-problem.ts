import { MAX_TEXT_LENGTH } from "@/contract/limits";

/** @returns why a text cannot be sent, as a sentence; undefined when it can. Blank text is not told. */
export const messageProblem = (text: string): string | undefined => {
  const excess = text.length - MAX_TEXT_LENGTH;
  if (excess > 0) {
    return `Too long by ${excess.toLocaleString("en")} ${excess === 1 ? "character" : "characters"}.`;
  }
  if (text.includes("\0")) return "The text has a NUL character, which cannot be sent.";
  return text.isWellFormed() ? undefined : "The text has half a character, which cannot be sent.";
};
