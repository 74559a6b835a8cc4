import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import { isRecord } from "@/lib/is-record";

const MEGABYTE = 1024 * 1024;
/** Images of one answer; models send up to four. */
const MAX_IMAGES = 10;
/** All images of one answer, in megabytes: they are held in memory until the answer has ended. */
const MAX_IMAGES_MB = 32;

/** An image of an answer: its data, where it is, or why it is left out, as a sentence. */
export type AnswerImage = { base64: string } | { url: string } | { problem: string };

/**
 * Creates a reader of the images of one answer, in any of the forms that gateways have.
 *
 * @returns a function that returns undefined for what is no image, and for one that the answer has already.
 */
export const createImageReader = () => {
  const seen = new Set<string>();
  let bytes = 0;
  let isFull = false;
  return (value: unknown): AnswerImage | undefined => {
    const text = findText(value);
    if (text === undefined || isFull || seen.has(text)) return undefined;
    seen.add(text);
    const image = readImage(text);
    if ("base64" in image) bytes += countBytes(image.base64);
    isFull = seen.size > MAX_IMAGES || bytes > MAX_IMAGES_MB * MEGABYTE;
    return isFull ? { problem: TOO_MANY } : image;
  };
};

const TOO_MANY = `Further images of this answer are left out: it may have ${MAX_IMAGES}, of ${MAX_IMAGES_MB} MB together.`;

/** Where the parts of an answer have an image, as an address or in base64. */
const KEYS = ["image_url", "imageUrl", "url", "b64_json", "data"];

const findText = (value: unknown): string | undefined => {
  if (typeof value === "string") return value;
  if (value instanceof URL) return value.href;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (!isRecord(value)) return undefined;
  const key = KEYS.find((one) => value[one] !== undefined && value[one] !== null);
  return key === undefined ? undefined : findText(value[key]);
};

const DATA = /^data:[^,]{0,200};base64,/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

const readImage = (text: string): AnswerImage => {
  if (/^https?:/i.test(text) && URL.canParse(text)) return { url: new URL(text).href };
  const base64 = text.replace(DATA, "").replaceAll(/\s/g, "");
  if (countBytes(base64) > MAX_ARTIFACT_BYTES) {
    return leaveOutImage(`it is larger than ${MAX_ARTIFACT_BYTES / MEGABYTE} MB`);
  }
  return BASE64.test(base64) ? { base64 } : leaveOutImage("its data cannot be read");
};

const countBytes = (base64: string): number =>
  Math.floor((base64.replace(/={1,2}$/, "").length * 3) / 4);

/** @param reason without its full stop. */
export const leaveOutImage = (reason: string): { problem: string } => ({
  problem: `An image of this answer is left out: ${reason}.`,
});

/** Writes in Markdown what stands in the place of an image that is no file of the chat. */
export const describeImage = (image: Exclude<AnswerImage, { base64: string }>): string =>
  "url" in image ? `[Image](<${image.url}>)` : `[${image.problem}]`;
