import { formatBytes } from "@/lib/format";
import type { FileEncoding } from "./form-keywords";

/** Largest file of an answer, in bytes: base64 needs a third more, and an answer has at most a megabyte. */
const MAX_FILE_BYTES = 750_000;

type Wanted = {
  encoding: FileEncoding;
  /** The media type of the schema; any if it is undefined. */
  mediaType: string | undefined;
};

/** Reads a file as the text of an answer, or says why it cannot be sent, as a sentence. */
export const readFile = async (
  file: File,
  { encoding, mediaType }: Wanted,
): Promise<{ value: string } | { error: string }> => {
  const isFitting = isOfType(file.type, mediaType);
  if (!isFitting && !isConvertible(file, mediaType)) {
    return {
      error: `Choose a file of the type ${mediaType}. This one is of the type ${file.type || "unknown"}.`,
    };
  }
  const sent = isFitting && file.size <= MAX_FILE_BYTES ? file : await shrinkImage(file, mediaType);
  if (!sent || sent.size > MAX_FILE_BYTES) {
    return {
      error: `Choose a file of at most ${formatBytes(MAX_FILE_BYTES)}. This one has ${formatBytes(file.size)}.`,
    };
  }
  const url = await readAsDataUrl(sent);
  return { value: encoding === "data-url" ? url : url.slice(url.indexOf(",") + 1) };
};

const isOfType = (type: string, wanted: string | undefined): boolean =>
  wanted === undefined ||
  wanted === type ||
  wanted === "application/octet-stream" ||
  (wanted.endsWith("/*") && type.startsWith(wanted.slice(0, -1)));

/** Types that browsers can write. */
const WRITABLE_IMAGES = ["image/png", "image/jpeg", "image/webp"];

const isConvertible = (file: File, mediaType: string | undefined): boolean =>
  file.type.startsWith("image/") && WRITABLE_IMAGES.includes(mediaType ?? "");

/** Longest sides that are tried, in pixels. */
const SIDES = [4_096, 2_048, 1_600, 1_024, 640, 400];

/** Draws an image in the wanted type, and smaller until it can be sent: photos of phones have several megabytes. */
const shrinkImage = async (
  file: File,
  mediaType: string | undefined,
): Promise<Blob | undefined> => {
  if (!file.type.startsWith("image/")) return undefined;
  const type = WRITABLE_IMAGES.find((one) => one === mediaType) ?? "image/jpeg";
  const image = await createImageBitmap(file).catch(() => undefined);
  if (!image) return undefined;
  for (const side of SIDES) {
    const scale = Math.min(1, side / Math.max(image.width, image.height));
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(image.width * scale)),
      Math.max(1, Math.round(image.height * scale)),
    );
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const drawn = await canvas.convertToBlob({ type, quality: 0.85 });
    if (drawn.size <= MAX_FILE_BYTES) return drawn;
  }
  return undefined;
};

const readAsDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () =>
      reject(reader.error ?? new Error("The file cannot be read.")),
    );
    reader.readAsDataURL(blob);
  });

/** @returns the type of a file in an answer, if it is known, and its size. */
export const describeFile = (value: string, { encoding, mediaType }: Wanted): string => {
  const [, type, base64, data = value] = DATA_URL.exec(encoding === "data-url" ? value : "") ?? [];
  const isText = encoding === "data-url" && base64 === undefined;
  const size = formatBytes(isText ? data.length : countBase64Bytes(data));
  const known = encoding === "data-url" ? type : mediaType;
  return known === undefined || known === "" ? size : `${known}, ${size}`;
};

const DATA_URL = /^data:([^;,]*)(?:;(?!base64,)[^;,]*)*(;base64)?,([^]*)$/;

const countBase64Bytes = (data: string): number =>
  Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
