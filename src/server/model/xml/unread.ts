/** What has come of a block and is not read yet: reading less than a tag at once would cost much more. */
export type Unread = {
  text: string;
  /** What may end the text that is read; undefined in elements. */
  textEnd: string | undefined;
  /** Characters that are read at once. */
  minRead: number;
  /** Whether less is read if a tag may end in it. */
  isReadByTags: boolean;
  /** The next minimum in a text. */
  step: number;
};

/** Less before the root is not read at once, unless a tag ends in it. */
const MIN_PROLOG = 32;
/** The same of elements, of which nothing is shown before a tag ends. */
const MIN_ELEMENTS = 512;
/** Less of a text is not read at once, unless it is short and ends: a short one is seen to grow by less. */
const MIN_STEP = 16;
const MAX_STEP = 64;

export const createUnread = (): Unread => ({
  text: "",
  textEnd: undefined,
  minRead: MIN_PROLOG,
  isReadByTags: true,
  step: MIN_STEP,
});

/** Adds a piece. @returns how many characters are to be read now: all complete tags, or a step of a text. */
export const collect = (unread: Unread, piece: string): number => {
  const text = unread.text + piece;
  unread.text = text;
  const isDue = text.length >= unread.minRead;
  if (!isDue && !(unread.isReadByTags && piece.includes(">"))) return 0;
  const { textEnd } = unread;
  const mayHaveTag = textEnd === undefined || text.includes(textEnd);
  if (!isDue && !mayHaveTag) return 0;
  return (mayHaveTag && text.lastIndexOf(">") + 1) || text.length;
};

/** Takes so many characters to read. */
export const take = (unread: Unread, length: number): string => {
  const { text } = unread;
  unread.text = text.slice(length);
  return text.slice(0, length);
};

/** Prepares for elements, of which the root may not have come. */
export const expectElements = (unread: Unread, hasRoot: boolean): void => {
  unread.textEnd = undefined;
  unread.minRead = hasRoot ? MIN_ELEMENTS : MIN_PROLOG;
  unread.isReadByTags = true;
  unread.step = MIN_STEP;
};

/** Prepares for the next step of a text. */
export const expectText = (unread: Unread, textEnd: string): void => {
  unread.textEnd = textEnd;
  unread.minRead = unread.step;
  unread.isReadByTags = unread.step < MAX_STEP;
  unread.step = Math.min(2 * unread.step, MAX_STEP);
};
