const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Counts the bytes of each event of a stream. An event may have any number of lines and ends at an empty one; lines end with
 * LF, CR LF or CR.
 *
 * @returns a function that takes a chunk; it returns false when an event is longer than allowed.
 */
export const createEventLimit = (maxBytes: number) => {
  let length = 0;
  let isLineEmpty = true;
  let isAfterReturn = false;
  return (chunk: Uint8Array): boolean => {
    for (const byte of chunk) {
      const isEnd = byte === CARRIAGE_RETURN || (byte === LINE_FEED && !isAfterReturn);
      // The second byte of CR LF belongs to the line that the first one has ended.
      const isSecond = byte === LINE_FEED && isAfterReturn;
      isAfterReturn = byte === CARRIAGE_RETURN;
      if (isSecond) continue;
      length += 1;
      if (length > maxBytes) return false;
      if (isEnd && isLineEmpty) length = 0;
      isLineEmpty = isEnd;
    }
    return true;
  };
};
