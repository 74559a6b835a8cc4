import { isUtf8 } from "node:buffer";

/** The start of a text that begins with a byte order mark. */
const BYTE_ORDER_MARKS = [
  { charset: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { charset: "utf-16le", bytes: [0xff, 0xfe] },
  { charset: "utf-16be", bytes: [0xfe, 0xff] },
];

/** Decodes by the byte order mark, else by the declared charset, else as UTF-8 or Windows-1252. */
export const decodeText = (bytes: Uint8Array, declaredCharset: string | undefined): string => {
  const mark = BYTE_ORDER_MARKS.find(({ bytes: start }) =>
    start.every((byte, index) => bytes[index] === byte),
  );
  return (
    decode(bytes, mark?.charset ?? declaredCharset) ??
    decode(bytes, isUtf8(bytes) ? "utf-8" : "windows-1252") ??
    ""
  );
};

/** @returns undefined for a charset that does not exist. */
const decode = (bytes: Uint8Array, charset: string | undefined): string | undefined => {
  if (charset === undefined) return undefined;
  try {
    // What was cut in the middle of a character loses that character.
    return new TextDecoder(charset).decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** @returns the start of a text that has at most so many bytes as UTF-8, never with half a character. */
export const truncateText = (text: string, maxBytes: number): string => {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, maxBytes), {
    stream: true,
  });
};
