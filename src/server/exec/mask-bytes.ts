import { maskSecrets } from "@/server/mask-secrets";

/** Masked at once, so that the event loop is not blocked, and as short-lived strings of the young heap. */
const PIECE_BYTES = 64 * 1024;
/** A piece goes on to the end of its line, but not further than this. */
const MAX_PIECE_BYTES = 512 * 1024;

/** Masks the secrets in an output, piece by piece. @returns the same bytes when there are none. */
export const maskBytes = async (bytes: Buffer): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  let isMasked = false;
  for (let from = 0; from < bytes.length;) {
    const lineEnd = bytes.indexOf("\n", Math.min(from + PIECE_BYTES, bytes.length));
    const until = Math.min(lineEnd < 0 ? bytes.length : lineEnd + 1, from + MAX_PIECE_BYTES);
    const piece = bytes.subarray(from, until);
    const text = piece.toString();
    const masked = maskSecrets(text);
    pieces.push(masked === text ? piece : Buffer.from(masked));
    isMasked ||= masked !== text;
    from = until;
    await new Promise(setImmediate);
  }
  return isMasked ? Buffer.concat(pieces) : bytes;
};
