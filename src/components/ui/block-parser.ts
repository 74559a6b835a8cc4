import { parseMarkdownIntoBlocks } from "streamdown";

/** Blocks at the end of a growing text that more text may still change: a list, the space after it, and a paragraph. */
const OPEN_BLOCKS = 3;

/** With footnotes, a text is one block. */
const FOOTNOTE = "[^";

/**
 * Creates a parser for a text that grows. It parses the last blocks only, as to parse a long text for each of its
 * tokens takes the page longer and longer.
 */
export const createBlockParser = (): ((markdown: string) => string[]) => {
  let closed: string[] = [];
  return (markdown) => {
    const hasFootnotes = markdown.includes(FOOTNOTE);
    if (hasFootnotes || !markdown.startsWith(closed.join(""))) closed = [];
    const rest = markdown.slice(closed.join("").length);
    const blocks = [...closed, ...parseMarkdownIntoBlocks(rest)];
    closed = hasFootnotes ? [] : blocks.slice(0, -OPEN_BLOCKS);
    return blocks;
  };
};
