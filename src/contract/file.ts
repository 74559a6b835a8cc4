import * as z from "zod";

/** A file that a client adds to a chat. */
export const CreateFileInput = z.strictObject({
  chat_id: z.string().describe("Required: in the address or in the form, not in both."),
  name: z
    .string()
    .max(1_000)
    .optional()
    .describe(
      "With its extension. When left out, that of the form's file or of `Content-Disposition`, else `file` with the extension of its content.",
    ),
  /** Sent as the body, or as a part of a form. */
  file: z.instanceof(Uint8Array).refine((bytes) => bytes.length > 0, "must not be empty"),
});

export const FileRef = z.strictObject({ file_id: z.string() });

/** Images of pixels, which browsers show and which cannot hold scripts. */
const RASTER_IMAGE_TYPES: ReadonlySet<string> = new Set([
  "image/avif",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/webp",
]);

export const isRasterImage = (mediaType: string): boolean => RASTER_IMAGE_TYPES.has(mediaType);
