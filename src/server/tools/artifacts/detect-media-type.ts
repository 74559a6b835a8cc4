import { extname } from "node:path";
import { fileTypeFromBuffer } from "file-type";

/** Bytes that identify a file type; with more, some detectors read every entry of an archive. */
const DETECTION_BYTES = 4_100;

export const UNKNOWN_MEDIA_TYPE = "application/octet-stream";

/** Of texts, only the name says what they are. */
const TEXT_TYPES: Record<string, string> = {
  ".css": "text/css",
  ".csv": "text/csv",
  ".htm": "text/html",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/markdown",
  ".svg": "image/svg+xml",
  ".xml": "application/xml",
};

/** Detects what a file is by its first bytes; by its name only if those are text. */
export const detectMediaType = async (bytes: Uint8Array, name: string): Promise<string> => {
  const detected = await detectFileType(bytes);
  if (detected) return detected.mime;
  if (!isText(bytes.subarray(0, DETECTION_BYTES))) return UNKNOWN_MEDIA_TYPE;
  return TEXT_TYPES[extname(name).toLowerCase()] ?? "text/plain";
};

/** @returns undefined for text, and for a type that its first bytes do not show. */
export const detectFileType = (
  bytes: Uint8Array,
): Promise<{ mime: string; ext: string } | undefined> =>
  fileTypeFromBuffer(bytes.subarray(0, DETECTION_BYTES));

const isText = (start: Uint8Array): boolean => {
  if (start.includes(0)) return false;
  try {
    // The last character may be cut.
    new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
};
