const NEWLINE = 0x0a;

/**
 * Splits bytes into lines. Each byte is looked at and copied once, however the chunks are cut.
 *
 * @returns a function that takes a chunk; it returns false when a line is longer than allowed.
 */
export const createLineReader = (maxBytes: number, onLine: (line: string) => void) => {
  let chunks: Buffer[] = [];
  let length = 0;
  const add = (chunk: Buffer): boolean => {
    chunks.push(chunk);
    length += chunk.length;
    return length <= maxBytes;
  };
  return (chunk: Buffer): boolean => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (!add(chunk.subarray(start, end))) return false;
      const line = Buffer.concat(chunks, length).toString();
      chunks = [];
      length = 0;
      start = end + 1;
      if (line.trim() !== "") onLine(line);
    }
    return add(chunk.subarray(start));
  };
};
