import * as z from "zod";
import { ChatRef, Limit } from "./chat-inputs";
import { QueryBoolean } from "./query-values";
import { Artifact } from "./part";

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

export const GetFileInput = FileRef.extend({
  /** An image as models get it, which is smaller; the file itself where there is none. */
  preview: QueryBoolean.default(false),
});

export const ListFilesInput = ChatRef.extend({
  /** The `next_cursor` of the page before. */
  cursor: z.uuid().optional(),
  limit: Limit,
});
export type ListFilesInput = z.infer<typeof ListFilesInput>;

/** A file of a chat or of one of its agents, and where it is from. */
export const ChatFile = Artifact.extend({
  chat_id: z.uuid(),
  /** The call that made it; null for a file that was sent. */
  tool_call_id: z.string().nullable(),
  created_at: z.iso.datetime(),
}).meta({ id: "ChatFile" });
export type ChatFile = z.infer<typeof ChatFile>;

export const FilePage = z.object({
  /** Newest first. */
  data: z.array(ChatFile),
  next_cursor: z.string().optional(),
  /** Of all files, those of other pages included. */
  total_count: z.int(),
  total_size: z.int(),
});
export type FilePage = z.infer<typeof FilePage>;
