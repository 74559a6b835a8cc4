/** A browser lays out this much text at once without a pause; more is cut in the middle. */
export const MAX_SHOWN_BYTES = 64 * 1024;

export type HeadAndTail = { head: string; tail: string; totalBytes: number; omittedBytes: number };

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** @returns both ends of a text that is too long to be shown, or undefined when it may be shown whole. */
export const headAndTail = (text: string, maxBytes = MAX_SHOWN_BYTES): HeadAndTail | undefined => {
  if (text.length * 3 <= maxBytes) return undefined;
  const totalBytes = byteLength(text);
  if (totalBytes <= maxBytes) return undefined;
  // The ratio turns bytes into text units; an estimate is enough for what is only shown.
  const half = Math.floor(((maxBytes / totalBytes) * text.length) / 2);
  const head = text.slice(0, wholeCharacter(text, half));
  const tail = text.slice(wholeCharacter(text, text.length - half));
  return { head, tail, totalBytes, omittedBytes: totalBytes - byteLength(head) - byteLength(tail) };
};

/** Moves a cut that would split a surrogate pair one unit to the left. */
const wholeCharacter = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
};
