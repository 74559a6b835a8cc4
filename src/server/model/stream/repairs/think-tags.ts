const OPENING = /^\s*<think(?:ing)?>/i;
/** What may yet become the opening. */
const OPENING_START = /^\s*(?:<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?)?)?$/i;
const CLOSING = /\s*<\/think(?:ing)?>/i;
/** The end of a text that may yet become the closing. */
const CLOSING_START = /\s*(?:<(?:\/(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?)?)?)?$/i;

export type ThinkSplit = { reasoning: string; text: string };

/** Splits the reasoning from an answer that begins with it in tags, as models write that a server does not know. */
export const createThinkSplitter = () => {
  let phase: "start" | "thought" | "text" = "start";
  /** White space after a tag is layout. */
  let isAfterTag = false;
  /** A text that may belong to a tag. */
  let held = "";
  const takeHeld = (): string => {
    const text = held;
    held = "";
    return text;
  };

  const trimAfterTag = (text: string): string => {
    const trimmed = isAfterTag ? text.trimStart() : text;
    isAfterTag &&= trimmed === "";
    return trimmed;
  };

  const readThought = (whole: string): ThinkSplit => {
    const text = trimAfterTag(whole);
    const closing = CLOSING.exec(text);
    if (!closing) {
      const end = CLOSING_START.exec(text)?.index ?? text.length;
      held = text.slice(end);
      return { reasoning: text.slice(0, end), text: "" };
    }
    phase = "text";
    isAfterTag = true;
    const reasoning = text.slice(0, closing.index);
    return { reasoning, text: trimAfterTag(text.slice(closing.index + closing[0].length)) };
  };

  return {
    /** Reads the next piece of the answer. */
    read: (piece: string): ThinkSplit => {
      const text = takeHeld() + piece;
      if (phase === "thought") return readThought(text);
      if (phase === "text") return { reasoning: "", text: trimAfterTag(text) };
      const opening = OPENING.exec(text);
      if (opening) {
        phase = "thought";
        isAfterTag = true;
        return readThought(text.slice(opening[0].length));
      }
      if (OPENING_START.test(text)) {
        held = text;
        return { reasoning: "", text: "" };
      }
      phase = "text";
      return { reasoning: "", text };
    },
    /** @returns what was held back, at the end of the answer. */
    end: (): ThinkSplit => {
      const text = takeHeld();
      return phase === "thought" ? { reasoning: text, text: "" } : { reasoning: "", text };
    },
    /** Takes the rest for text if the answer has begun with something else. */
    skip: (): void => {
      if (phase === "start") phase = "text";
    },
    /** Whether the rest of the answer is text. */
    isText: (): boolean => phase === "text" && !isAfterTag,
  };
};
