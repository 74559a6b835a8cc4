import type { ByteSource } from "@/lib/byte-source";
import { cutBytes } from "@/lib/cut-text";

/** Output that one call returns to the model, in bytes of its JSON. */
const MAX_OUTPUT_BYTES = 32 * 1024;
const JSON_QUOTES = 2;

export type CutOutput = { output: string; isCut: boolean };

/** Cuts an output to what one call may return; a control character takes several bytes of JSON. */
export const cutOutput = (source: ByteSource): CutOutput => {
  const { bytes, gap } = readEnds(source);
  for (let maxBytes = MAX_OUTPUT_BYTES; ; maxBytes = Math.floor(maxBytes / 2)) {
    const isCut = bytes.length > maxBytes;
    const marker = (removed: number): string => `\n[… ${removed + gap} bytes left out …]\n`;
    const output = isCut ? cutBytes(bytes, { maxBytes, marker }) : bytes.toString();
    if (Buffer.byteLength(JSON.stringify(output)) <= MAX_OUTPUT_BYTES + JSON_QUOTES) {
      return { output, isCut };
    }
  }
};

/** Reads both ends, each longer than what is returned of it, and how much is between them. */
const readEnds = (source: ByteSource): { bytes: Buffer; gap: number } => {
  const gap = source.length - 2 * MAX_OUTPUT_BYTES;
  const bytes = Buffer.alloc(gap > 0 ? 2 * MAX_OUTPUT_BYTES : source.length);
  if (gap <= 0) {
    source.read(bytes, 0);
    return { bytes, gap: 0 };
  }
  source.read(bytes.subarray(0, MAX_OUTPUT_BYTES), 0);
  source.read(bytes.subarray(MAX_OUTPUT_BYTES), source.length - MAX_OUTPUT_BYTES);
  return { bytes, gap };
};
