import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** Writes the texts between blocks as parts, without the whitespace around the blocks. */
export const createTextParts = (add: (part: LanguageModelV4StreamPart) => void) => {
  let count = 0;
  let isOpen = false;
  /** Whitespace that belongs to the text only if more of it follows. */
  let space = "";

  const write = (delta: string): void => {
    if (!isOpen) {
      isOpen = true;
      count += 1;
      add({ type: "text-start", id: `text_${count}` });
    }
    add({ type: "text-delta", id: `text_${count}`, delta });
  };
  const close = (): void => {
    if (isOpen) add({ type: "text-end", id: `text_${count}` });
    isOpen = false;
    space = "";
  };

  return {
    add: (text: string): void => {
      const all = space + text;
      const visible = all.trimEnd();
      space = all.slice(visible.length);
      if (visible !== "") write(visible);
    },
    /** Closes a text that something else follows. */
    close,
    /** Closes the last text of the answer, which is kept as it is. */
    end: (): void => {
      if (isOpen && space !== "") write(space);
      close();
    },
  };
};

export type TextParts = ReturnType<typeof createTextParts>;
