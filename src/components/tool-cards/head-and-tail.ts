/** Longest text that a browser lays out without a noticeable pause, in bytes. */
export const MAX_SHOWN_BYTES = 64 * 1024;

export type HeadAndTail = { head: string; tail: string; totalBytes: number; omittedBytes: number };

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** @returns both ends of a text that is too long to show, or undefined when it fits. */
export const splitHeadAndTail = (
  text: string,
  maxBytes = MAX_SHOWN_BYTES,
): HeadAndTail | undefined => {
  if (text.length * 3 <= maxBytes) return undefined;
  const totalBytes = byteLength(text);
  if (totalBytes <= maxBytes) return undefined;
  // The ratio converts bytes to UTF-16 units; an estimate is enough for display.
  const half = Math.floor(((maxBytes / totalBytes) * text.length) / 2);
  const head = text.slice(0, alignToCharacter(text, half));
  const tail = text.slice(alignToCharacter(text, text.length - half));
  return { head, tail, totalBytes, omittedBytes: totalBytes - byteLength(head) - byteLength(tail) };
};

/** Moves a cut one unit to the left when it would split a surrogate pair. */
const alignToCharacter = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
};
