/** A text up to this length is laid out at once, in UTF-16 units: more than most paragraphs have. */
export const MAX_UNSPLIT_LENGTH = 2_000;
/** Length of a piece, in UTF-16 units. */
const PIECE_LENGTH = 250;
/** How far back a space is looked for, and the end of a character that several code points form. */
const MAX_STEP_BACK = 100;

/**
 * Creates a function that splits the texts of a paragraph, one after the other, where the browser may break a line.
 * Between such places it lays a text out again for each line, as letters change each other's shape and place: a line of
 * 160,000 letters takes it a minute.
 *
 * @returns the pieces of a text: those of an earlier text count, so that the first one may be empty.
 */
export const createTextSplitter = (): ((text: string) => string[]) => {
  let room = PIECE_LENGTH;
  return (text) => {
    const pieces: string[] = [];
    let start = 0;
    while (text.length - start > room) {
      const end = findBreak(text, start, start + room);
      pieces.push(text.slice(start, end));
      start = end;
      room = PIECE_LENGTH;
    }
    room -= text.length - start;
    return [...pieces, text.slice(start)];
  };
};

/** @returns a place at or before `end`: after a space, where lines break anyway, or between two characters. */
const findBreak = (text: string, start: number, end: number): number => {
  const first = Math.max(start, end - MAX_STEP_BACK);
  const space = text.lastIndexOf(" ", end - 1);
  if (space >= first) return space + 1;
  for (let place = end; place > first; place--) {
    const before = text[place - 1] ?? "";
    if (!CONTINUES.test(text[place] ?? "") && before !== JOINER) return place;
  }
  return end;
};

const JOINER = "\u200d";
/** The second half of a code point, or what changes the character before it. */
const CONTINUES = /[\udc00-\udfff\p{M}\u200d]/u;
