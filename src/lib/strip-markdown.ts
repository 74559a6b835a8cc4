/** What stands at the start of a line: a heading, a quotation, a bullet with its checkbox. */
const LINE_START = /^[ \t]{0,3}(?:#{1,6}|>|[-*+])[ \t]+(?:\[[ xX]\][ \t]+)?/gm;
/** The line between the head and the rows of a table, or one across the page. */
const RULE = /^[ \t]*[|:*_-][|:*_ \t-]*$/gm;
const FENCE = /^[ \t]*(?:```|~~~).*$/gm;
/** A link or an image, which may be cut off in its address. */
const LINK = /!?\[([^[\]\n]*)\]\([^)\n]*(?:\)|$)/gm;
/** At the edge of a word only: `2**3` and `a_b` have no markup. */
const STRONG = /(?<!\w)(?:\*\*|~~|__)(?=\S)|(?<=\S)(?:\*\*|~~|__)(?!\w)/g;
const EMPHASIS = /(?<![\w*])([*_])(?=[^\s*_])([^*_\n]+)(?<=\S)\1(?![\w*])/g;
const CELL_BORDER = /^[ \t]*\|.*$/gm;

/** Removes the markup of a piece of markdown, such as an excerpt that begins and ends anywhere. */
export const stripMarkdown = (text: string): string =>
  text
    .replace(FENCE, "")
    .replace(RULE, "")
    .replace(LINE_START, "")
    .replace(CELL_BORDER, (row) => row.replaceAll("|", " "))
    .replace(LINK, "$1")
    .replace(STRONG, "")
    .replace(EMPHASIS, "$2")
    .replaceAll("`", "");
