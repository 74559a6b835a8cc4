/** What was read of a block so far. */
type BlockState = {
  /** What the line that ends the HTML that is open has, or the marks with which that of the code or the formula begins. */
  end: RegExp | string | undefined;
  /** Column of the text of a list's last item, from 0: what is indented as far belongs to the item. */
  itemColumn: number | undefined;
  /** Whether the item has no text yet, which must not follow a blank line. */
  isItemEmpty: boolean;
  /** Whether the list may have ended, if its last item has no paragraph that the last line continues. */
  isListOver: boolean;
  isAfterBlank: boolean;
  /** Whether a paragraph is open, which not every list interrupts; for the parser, indented code is like one. */
  isInParagraph: boolean;
  isInCode: boolean;
  isInQuote: boolean;
  /** Whether HTML is open that a blank line ends. */
  isInTag: boolean;
  /** Whether the last line has ended what it belongs to, so that any text begins another block. */
  isEnded: boolean;
};

const START: BlockState = {
  end: undefined,
  itemColumn: undefined,
  isItemEmpty: false,
  isListOver: false,
  isAfterBlank: false,
  isInParagraph: false,
  isInCode: false,
  isInQuote: false,
  isInTag: false,
  isEnded: false,
};

/** Footnotes, and links whose addresses are defined apart, depend on the whole text. */
const CROSS_REFERENCE =
  /\[\^|^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)]))*[ \t]*\[(?:\\[^]|[^\\[\]]){1,999}\]:/m;

/**
 * Splits Markdown where one block ends and another one begins, so that each part means the same by itself. Where only the
 * parser can decide that, it does not split.
 *
 * @returns the parts, which together are the text.
 */
export const splitBlocks = (text: string): string[] => {
  if (CROSS_REFERENCE.test(text)) return [text];
  const blocks: string[] = [];
  let state = START;
  let start = 0;
  let end = 0;
  for (const raw of text.split(/(?<=\n)/)) {
    const line = trimLine(expandTabs(raw));
    if (end > start && beginsBlock(line, state)) {
      blocks.push(text.slice(start, end));
      start = end;
      state = START;
    }
    state = readLine(line, state);
    end += raw.length;
  }
  return end > start ? [...blocks, text.slice(start)] : blocks;
};

/** Blocks at the end of a growing text that more text may still change: a list, and a number that becomes its next item. */
const OPEN_BLOCKS = 2;

/**
 * Creates a splitter for a text that grows. It reads the last blocks only, as to read a long text for each of its tokens
 * takes the page longer and longer.
 */
export const createBlockSplitter = (): ((markdown: string) => string[]) => {
  let closed: string[] = [];
  return (markdown) => {
    if (!markdown.startsWith(closed.join(""))) closed = [];
    const rest = markdown.slice(closed.join("").length);
    if (CROSS_REFERENCE.test(rest)) closed = [];
    const blocks = closed.length === 0 ? splitBlocks(markdown) : [...closed, ...splitBlocks(rest)];
    closed = blocks.slice(0, -OPEN_BLOCKS);
    return blocks;
  };
};

const TAB = 4;

const expandTabs = (line: string): string =>
  line
    .split("\t")
    .reduce((before, part) => before + " ".repeat(TAB - (before.length % TAB)) + part);

/** Without an expression, which would read a line of many spaces once for each of them. */
const trimLine = (line: string): string => {
  let end = line.length;
  while (end > 0 && " \r\n".includes(line.charAt(end - 1))) end -= 1;
  return line.slice(0, end);
};

const HEADING = /^ {0,3}#{1,6}(?: |$)/;
const BREAK = /^ {0,3}([-*_]) *(?:\1 *){2,}$/;
const ITEM = /^( {0,3})([-+*]|\d{1,9}[.)])(?:( +)(.*))?$/;
const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,})(?!~).*)$/;
const FORMULA = /^ {0,3}(\${2,})[^$]*$/;
/** A line of one mark. */
const MARKS = /^ {0,3}((.)\2*)$/;
const QUOTE = /^ {0,3}>/;
const TAG = /^ {0,3}<\/?[a-z][\da-z-]*(?:[ />]|$)/i;

/** The beginning and the end of HTML in which blank lines may stand. */
const HTML: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[ >]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<![a-z]/i, />/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
];

const CODE_INDENT = " ".repeat(TAB);

/** Whether a line certainly begins a block of the text itself, and not one in a list or a quote. */
const beginsBlock = (line: string, state: BlockState): boolean => {
  if (state.end || line === "") return false;
  if (state.isEnded) return true;
  if (line.startsWith(" ") || state.isInCode) return false;
  if (HEADING.test(line)) return !state.isInTag;
  return state.isAfterBlank && (state.itemColumn === undefined || !ITEM.test(line));
};

const readLine = (line: string, state: BlockState): BlockState => {
  if (state.end) return isEnd(line, state.end) ? { ...START, isEnded: true } : state;
  if (line === "") return readBlank(state);
  if (line.search(/\S/) >= (state.itemColumn ?? Infinity)) return readInItem(line, state);
  const end = findEnd(line);
  if (end) return state.isInTag ? UNKNOWN : end;
  return readItem(line, state) ?? (state.isInTag ? readTag : readText)(line, state);
};

const isEnd = (line: string, end: RegExp | string): boolean =>
  typeof end === "string" ? (MARKS.exec(line)?.[1]?.startsWith(end) ?? false) : end.test(line);

const readBlank = (state: BlockState): BlockState => ({
  ...state,
  itemColumn: state.isItemEmpty ? Infinity : state.itemColumn,
  isItemEmpty: false,
  isAfterBlank: true,
  isInParagraph: state.isInCode,
  isInQuote: false,
  isInTag: false,
});

const readInItem = (line: string, state: BlockState): BlockState => {
  const { itemColumn, isListOver, isInTag } = state;
  const text = line.trimStart();
  if (isListOver && findEnd(text)) return UNKNOWN;
  return { ...START, itemColumn, isListOver, isInTag: isInTag || TAG.test(text) };
};

/** Only the parser knows where these end: the rest of the text is one block. */
const UNKNOWN: BlockState = { ...START, end: /(?!)/ };

/** Reads the first line of what may have blank lines in it. */
const findEnd = (line: string): BlockState | undefined => {
  const [, ticks, tildes] = FENCE.exec(line) ?? [];
  const fence = ticks ?? tildes ?? FORMULA.exec(line)?.[1];
  if (fence !== undefined) return { ...START, end: fence };
  const html = HTML.find(([start]) => start.test(line));
  if (!html) return undefined;
  return html[1].test(line) ? { ...START, isEnded: true } : { ...START, end: html[1] };
};

const readItem = (line: string, state: BlockState): BlockState | undefined => {
  const item = ITEM.exec(line);
  if (!item || BREAK.test(line)) return undefined;
  const [, indent = "", mark = "", spaces = "", text = ""] = item;
  const isItemEmpty = text === "";
  if (state.isInParagraph && (isItemEmpty || !/^(?:\D|1.)$/.test(mark))) return undefined;
  const padding = isItemEmpty || spaces.length > TAB ? 1 : spaces.length;
  const itemColumn = indent.length + mark.length + padding;
  return { ...START, itemColumn, isItemEmpty, isListOver: state.isInTag, isInTag: state.isInTag };
};

/** Reads a line that may be HTML, or not. */
const readTag = (line: string, state: BlockState): BlockState => {
  if (HEADING.test(line) || BREAK.test(line)) return { ...START, isInTag: true };
  return line.startsWith(CODE_INDENT) ? { ...state, isInCode: true } : state;
};

/** Below a paragraph, the same marks make a heading of it. */
const isBreak = (line: string, { isInParagraph, isInCode }: BlockState): boolean =>
  BREAK.test(line) && !(isInParagraph && !isInCode && /^ *-+$/.test(line));

const readText = (line: string, state: BlockState): BlockState => {
  if (HEADING.test(line) || isBreak(line, state)) return { ...START, isEnded: true };
  const isInQuote = state.isInQuote || QUOTE.test(line);
  // A line that continues the paragraph of an item needs no indent, unless a blank line came before.
  const itemColumn = state.isAfterBlank ? undefined : state.itemColumn;
  const isListOver = itemColumn !== undefined;
  return {
    ...START,
    itemColumn,
    isListOver,
    isInTag: TAG.test(line),
    isInQuote,
    isInParagraph: !isInQuote && !isListOver,
    isInCode: line.startsWith(CODE_INDENT),
  };
};
