import sharp, { type Sharp } from "sharp";

/** Longest side of an image for a model, in pixels; providers shrink larger ones, and charge for them. */
const MAX_SIDE = 2_000;
/** A decoded pixel takes 4 bytes, so the largest image takes 200 MB while it is shrunk. */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** Of the encoded image: in base64 it is below the 5 MB that providers accept. */
const MAX_IMAGE_BYTES = 3_500_000;
const JPEG_QUALITY = 85;

// The cache is for many operations on the same files.
sharp.cache(false);

/** An image as a model gets it. */
export type ModelImage = { mediaType: "image/png" | "image/jpeg"; bytes: Uint8Array };

/**
 * Encodes an image anew for a model: upright, small enough, without metadata such as the place of a photo.
 *
 * @returns also the size that it had, in pixels.
 * @throws {Error} when it cannot be decoded, or has too many pixels.
 */
export const toModelImage = async (
  bytes: Uint8Array,
): Promise<ModelImage & { width: number; height: number }> => {
  const source = sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS });
  const { format, autoOrient: size } = await source.metadata();
  const shrunk = source.autoOrient().resize({
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

/** JPEG has no transparency; most images are made for a white page. */
const encodeJpeg = (image: Sharp): Promise<Uint8Array> =>
  image.flatten({ background: "white" }).jpeg({ quality: JPEG_QUALITY }).toBuffer();
