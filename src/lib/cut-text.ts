/** Bytes reserved for the marker, so that the result never exceeds the budget. */
const MARKER_BYTES = 256;

/**
 * Removes the middle of a text that is too long: two thirds of the budget are for its head, one
 * third for its tail. Never splits a code point.
 *
 * @param marker creates the text in place of the removed bytes, at most 256 bytes long.
 * @returns the text itself when it fits.
 */
export const cutText = (
  text: string,
  { maxBytes, marker }: { maxBytes: number; marker: (removedBytes: number) => string },
): string => {
  // A UTF-16 unit is at most three bytes, so most texts fit without being encoded.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= maxBytes ? text : cutBytes(bytes, { maxBytes, marker });
};

/** Removes the middle of a text in UTF-8 that is longer than its budget, like `cutText`. */
export const cutBytes = (
  bytes: Uint8Array,
  { maxBytes, marker }: { maxBytes: number; marker: (removedBytes: number) => string },
): string => {
  const budget = Math.max(0, maxBytes - MARKER_BYTES);
  const headEnd = findBoundary(bytes, Math.floor((budget * 2) / 3), -1);
  const tailStart = findBoundary(bytes, bytes.length - (budget - Math.floor((budget * 2) / 3)), 1);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return (
    decoder.decode(bytes.subarray(0, headEnd)) +
    marker(tailStart - headEnd) +
    decoder.decode(bytes.subarray(tailStart))
  );
};

/** @returns the nearest start of a code point in the given direction. */
const findBoundary = (bytes: Uint8Array, from: number, step: 1 | -1): number => {
  let at = from;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += step;
  return at;
};
