import pLimit from "p-limit";
import sharp, { type Metadata, type Sharp } from "sharp";

/** Longest side of an image for a model, in pixels; providers shrink larger ones, and charge for them. */
const MAX_SIDE = 2_000;
/** Most pixels of an image; most take up to 4 bytes. */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** Most that an image takes which is decoded as a whole before it is shrunk. */
const MAX_DECODED_BYTES = 150_000_000;
/** Images of these formats are decoded line by line, unless they are interlaced or progressive. */
const READ_BY_LINES: readonly string[] = ["png", "jpeg"];
/** Of the encoded image: in base64 it is below the 5 MB that providers accept. */
const MAX_IMAGE_BYTES = 3_500_000;
const JPEG_QUALITY = 85;

// The cache is for many operations on the same files.
sharp.cache(false);

/** Time to encode an image, as others wait for it. */
const MAX_SECONDS = 20;

/** One image at a time in this process, whoever it is for: each may take as much memory as one is allowed. */
const withDecoder = pLimit(1);

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

type SizedImage = ModelImage & { width: number; height: number };

const encodeImage = async (bytes: Uint8Array): Promise<SizedImage> => {
  const source = sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS });
  const metadata = await source.metadata();
  if (measureDecoded(metadata) > MAX_DECODED_BYTES) throw new Error("the image is too large");
  const { format, autoOrient: size } = metadata;
  const shrunk = source.timeout({ seconds: MAX_SECONDS }).autoOrient().resize({
    width: MAX_SIDE,
    height: MAX_SIDE,
    fit: "inside",
    withoutEnlargement: true,
  });
  if (format !== "jpeg") {
    const png = await shrunk.clone().png().toBuffer();
    if (png.length <= MAX_IMAGE_BYTES) return { ...size, mediaType: "image/png", bytes: png };
  }
  return { ...size, mediaType: "image/jpeg", bytes: await encodeJpeg(shrunk) };
};

/** @returns the bytes that an image takes at once while it is decoded. */
const measureDecoded = ({ format, isProgressive, ...image }: Metadata): number => {
  if (READ_BY_LINES.includes(format) && !isProgressive) return 0;
  // A progressive JPEG keeps its coefficients, of two bytes each; no other format has values of more bytes.
  const bytes = format === "jpeg" || image.depth !== "uchar" ? 2 : 1;
  return image.width * image.height * image.channels * bytes;
};

/** JPEG has no transparency; most images are made for a white page. */
const encodeJpeg = (image: Sharp): Promise<Uint8Array> =>
  image.flatten({ background: "white" }).jpeg({ quality: JPEG_QUALITY }).toBuffer();
