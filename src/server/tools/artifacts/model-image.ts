import sharp, { type Metadata, type Sharp } from "sharp";
import { MAX_SHOWN_IMAGE_BYTES } from "@/contract/limits";
import { withDecoder } from "@/server/documents/with-decoder";

/** Longest side of an image for a model, in pixels; providers shrink larger ones, and charge for them. */
const MAX_SIDE = 2_000;
/** Most pixels of an image; most take up to 4 bytes. */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** Most that decoding may take, as it is estimated. */
const MAX_DECODER_BYTES = 205_000_000;
/**
 * Bytes that decoding takes at most for each value of a pixel, measured for eight images in a row, as memory that was freed
 * is not given back at once. An AVIF has several copies, with other values; a GIF the picture before.
 */
const BYTES_PER_VALUE: Record<string, number> = {
  jpeg: 1,
  png: 1.35,
  webp: 2.6,
  gif: 2.3,
  heif: 16,
};
/** A progressive JPEG keeps its coefficients, and an interlaced PNG its pixels: others are read by lines. */
const BYTES_PER_VALUE_AS_A_WHOLE: Record<string, number> = { jpeg: 7.4, png: 1.9 };
/** Of a format that is not known here. */
const MOST_BYTES_PER_VALUE = 16;
/** What is tried in turn for an image that takes too many bytes: most photos fit with the first, and all with the last. */
const SMALLER = [
  { side: 1_568, quality: 80 },
  { side: 1_000, quality: 80 },
  { side: 600, quality: 70 },
];

// The cache is for many operations on the same files.
sharp.cache(false);

/** Time to encode an image, as others wait for it. */
const MAX_SECONDS = 20;

/** An image as a model gets it. */
export type ModelImage = { mediaType: "image/png" | "image/jpeg"; bytes: Uint8Array };

/**
 * Encodes an image anew for a model: upright, small enough, without metadata such as the place of a photo.
 *
 * @returns also the size that it had, in pixels.
 * @throws {Error} when it cannot be decoded, or has too many pixels.
 */
export const toModelImage = (bytes: Uint8Array): Promise<SizedImage> =>
  withDecoder(() => encodeImage(bytes));

export type SizedImage = ModelImage & { width: number; height: number };

/** Files that wait for the decoder; each is held in memory. */
const MAX_WAITING = 16;

export const isDecoderBusy = (): boolean => withDecoder.pendingCount >= MAX_WAITING;

const encodeImage = async (bytes: Uint8Array): Promise<SizedImage> => {
  const source = sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS });
  const metadata = await source.metadata();
  if (estimateMemory(metadata) > MAX_DECODER_BYTES) throw new Error("the image is too large");
  const { format, autoOrient: size } = metadata;
  const shrunk = source.timeout({ seconds: MAX_SECONDS }).autoOrient().resize({
    width: MAX_SIDE,
    height: MAX_SIDE,
    fit: "inside",
    withoutEnlargement: true,
  });
  if (format !== "jpeg") {
    const png = await shrunk.clone().png().toBuffer();
    if (png.length <= MAX_SHOWN_IMAGE_BYTES) return { ...size, mediaType: "image/png", bytes: png };
  }
  return { ...size, mediaType: "image/jpeg", bytes: await encodeJpeg(shrunk) };
};

/** @returns bytes that decoding an image takes at most. */
const estimateMemory = ({ format, isProgressive, ...image }: Metadata): number => {
  const whole = isProgressive ? BYTES_PER_VALUE_AS_A_WHOLE[format] : undefined;
  const bytes = whole ?? BYTES_PER_VALUE[format] ?? MOST_BYTES_PER_VALUE;
  const depth = image.depth === "ushort" ? 2 : 1;
  return image.width * image.height * image.channels * bytes * depth;
};

/** JPEG has no transparency; most images are made for a white page. */
const encodeJpeg = async (image: Sharp): Promise<Uint8Array> => {
  let jpeg = await image.flatten({ background: "white" }).jpeg({ quality: 85 }).toBuffer();
  for (const { side, quality } of SMALLER) {
    if (jpeg.length <= MAX_SHOWN_IMAGE_BYTES) break;
    // Of the small one: the pixels of the foreign one would be held in memory, or decoded again.
    const resized = sharp(jpeg).resize({
      width: side,
      height: side,
      fit: "inside",
      withoutEnlargement: true,
    });
    jpeg = await resized.jpeg({ quality }).toBuffer();
  }
  return jpeg;
};
