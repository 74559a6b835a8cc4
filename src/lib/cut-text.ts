/** Room that is kept for the marker, so that the result never exceeds the budget. */
const MARKER_BYTES = 256;

/**
 * Cuts the middle out of a text that is too long: two thirds of the room go to its head, one
 * third to its tail. Never splits a code point.
 *
 * @param marker stands for what is left out, at most 256 bytes.
 * @returns the text itself when it fits.
 */
export const cutText = (
  text: string,
  { maxBytes, marker }: { maxBytes: number; marker: (leftOutBytes: number) => string },
): string => {
  // A UTF-16 unit is at most three bytes, so most texts need no encoding to be let through.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  const room = Math.max(0, maxBytes - MARKER_BYTES);
  const headEnd = boundary(bytes, Math.floor((room * 2) / 3), -1);
  const tailStart = boundary(bytes, bytes.length - (room - Math.floor((room * 2) / 3)), 1);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return (
    decoder.decode(bytes.subarray(0, headEnd)) +
    marker(tailStart - headEnd) +
    decoder.decode(bytes.subarray(tailStart))
  );
};

/** The nearest start of a code point, in the given direction. */
const boundary = (bytes: Uint8Array, from: number, step: 1 | -1): number => {
  let at = from;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += step;
  return at;
};
