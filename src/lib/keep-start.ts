/** @returns the longest start of a text that has at most this many bytes of UTF-8; a code point is never split. */
export const keepStart = (text: string, bytes: number): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, bytes), {
    stream: true,
  });
