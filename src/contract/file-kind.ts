/** Images of pixels, which browsers show and which cannot hold scripts. */
const RASTER_IMAGE_TYPES: ReadonlySet<string> = new Set([
  "image/avif",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/webp",
]);

export const isRasterImage = (mediaType: string): boolean => RASTER_IMAGE_TYPES.has(mediaType);

/** Images that browsers cannot show, and that the decoder of this server does not read. */
export const isHeic = (mediaType: string): boolean => /^image\/hei[cf]/.test(mediaType);

/** Texts by other types than `text/…`. */
const TEXT_TYPES: ReadonlySet<string> = new Set([
  "application/json",
  "application/xml",
  "image/svg+xml",
]);

/** What models can be given of a file: an image, a document, its text, or only its name. */
export type FileKind = "image" | "pdf" | "text" | "other";

export const toFileKind = (mediaType: string): FileKind => {
  if (isRasterImage(mediaType)) return "image";
  if (mediaType === "application/pdf") return "pdf";
  return mediaType.startsWith("text/") || TEXT_TYPES.has(mediaType) ? "text" : "other";
};
