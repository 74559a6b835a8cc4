import type { JsonObject, JsonValue } from "@/contract/json";
import { CONTROL, FILE, type FileEncoding } from "./form-keywords";

/** Formats with a field of their own, and those that are checked in a time in proportion to the text. */
const FORMATS = new Set(
  "date time date-time duration email hostname ipv4 ipv6 password uri uuid".split(" "),
);

const FILE_FORMATS = new Map<JsonValue | undefined, FileEncoding>([
  ["byte", "base64"],
  ["data-url", "data-url"],
  ["data-uri", "data-url"],
]);

/** @returns what is special about a text: a format, a file, a secret, or a text of a media type. */
export const pickTextKind = (node: JsonObject): JsonObject => {
  const { format, writeOnly, contentEncoding, contentMediaType: mediaType } = node;
  const encoding = contentEncoding === "base64" ? "base64" : FILE_FORMATS.get(format);
  const media = typeof mediaType === "string" ? { contentMediaType: mediaType } : {};
  if (encoding !== undefined) return { [FILE]: encoding, ...FORMAT_OF_FILE[encoding], ...media };
  // A text that is never shown again is a secret.
  if (writeOnly === true) return { format: "password" };
  if (typeof format === "string" && FORMATS.has(format)) return { format };
  return typeof mediaType === "string" ? { ...media, [CONTROL]: findControl(mediaType) } : {};
};

const FORMAT_OF_FILE = { base64: { format: "byte" }, "data-url": { format: "data-url" } };

const findControl = (mediaType: string): string =>
  /json|xml|javascript|yaml|x-|csv/.test(mediaType) ? "code-lines" : "lines";
