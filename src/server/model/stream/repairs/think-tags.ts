const OPENING = /^\s*<think(?:ing)?>/i;
/** What may yet become the opening. */
const OPENING_START = /^\s*(?:<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?)?)?$/i;
const CLOSING = /<\/think(?:ing)?>/i;
const CLOSINGS = ["</think>", "</thinking>"];
/** Characters that wait for what follows: a model may write white space without end. */
const MAX_HELD = 200;

/** @returns where the end of a thought begins that may yet belong to its closing tag, or is white space before it. */
const findHeld = (text: string): number => {
  const tail = text.slice(-MAX_HELD);
  const at = tail.lastIndexOf("<");
  const tag = tail.slice(at).toLowerCase();
  const isTag = at !== -1 && CLOSINGS.some((closing) => closing.startsWith(tag));
  return text.length - tail.length + tail.slice(0, isTag ? at : undefined).trimEnd().length;
};

export type ThinkSplit = { reasoning: string; text: string };

/** Splits the reasoning from an answer that begins with it in tags, as models write that a server does not know. */
export const createThinkSplitter = () => {
  let phase: "start" | "thought" | "text" = "start";
  /** White space after a tag is layout. */
  let isAfterTag = false;
  /** A text that may belong to a tag. */
  let held = "";
  const trimAfterTag = (text: string): string => {
    const trimmed = isAfterTag ? text.trimStart() : text;
    isAfterTag &&= trimmed === "";
    return trimmed;
  };

  const readThought = (whole: string): ThinkSplit => {
    const text = trimAfterTag(whole);
    const closing = CLOSING.exec(text);
    if (!closing) {
      const end = findHeld(text);
      held = text.slice(end);
      return { reasoning: text.slice(0, end), text: "" };
    }
    phase = "text";
    isAfterTag = true;
    const reasoning = text.slice(0, closing.index).trimEnd();
    return { reasoning, text: trimAfterTag(text.slice(closing.index + closing[0].length)) };
  };

  return {
    /** Reads the next piece of the answer. */
    read: (piece: string): ThinkSplit => {
      const text = held + piece;
      held = "";
      if (phase === "thought") return readThought(text);
      if (phase === "text") return { reasoning: "", text: trimAfterTag(text) };
      const opening = OPENING.exec(text);
      if (opening) {
        phase = "thought";
        isAfterTag = true;
        return readThought(text.slice(opening[0].length));
      }
      if (text.length <= MAX_HELD && OPENING_START.test(text)) {
        held = text;
        return { reasoning: "", text: "" };
      }
      phase = "text";
      return { reasoning: "", text };
    },
    /** @returns what was held back, at the end of the answer. */
    end: (): ThinkSplit => {
      const text = held;
      held = "";
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
