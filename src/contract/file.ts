import * as z from "zod";

/** A file that a client adds to a chat. */
export const CreateFileInput = z.strictObject({
  chat_id: z
    .string()
    .optional()
    .describe(
      "In the address or in the form, not in both. A file without a chat becomes one of the chat of the message that has it; without one, it is deleted after a week.",
    ),
  name: z
    .string()
    .max(1_000)
    .optional()
    .describe(
      "With its extension. When left out, that of the form's file or of `Content-Disposition`, else `file` with the extension of its content.",
    ),
  media_type: z
    .string()
    .max(200)
    .optional()
    .describe(
      "What the file is for its sender; that of the form's file or of the body when left out. An image or a PDF must be one by its content, and nothing else may be.",
    ),
  /** Sent as the body, or as a part of a form. */
  file: z.instanceof(Uint8Array).refine((bytes) => bytes.length > 0, "must not be empty"),
});

export const FileRef = z.strictObject({ file_id: z.string() });
