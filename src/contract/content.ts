import * as z from "zod";
import {
  MAX_CONTENT_LENGTH,
  MAX_CONTENT_PARTS,
  MAX_MESSAGE_FILES,
  MAX_TEXT_LENGTH,
} from "./limits";
import { FilePart, TextPart } from "./part";

/** Text without NUL or lone surrogates, which the database and some providers reject. */
export const Text = z
  .string()
  .refine((text) => !text.includes("\0"), "must not contain NUL characters")
  .refine((text) => text.isWellFormed(), "must be well-formed Unicode (it has a lone surrogate)");

const NonBlankText = Text.max(MAX_TEXT_LENGTH).refine(
  (text) => text.trim() !== "",
  "must not be blank",
);

const TextContent = z.strictObject({ type: z.literal("text"), text: NonBlankText });

/** A file that was sent before. One that belongs to no chat yet becomes one of the chat of the message. */
export const FileContent = z.strictObject({ type: z.literal("file"), file_id: z.uuid() });

const checkFiles: z.core.CheckFn<{ type: string; file_id?: string }[]> = ({ value, issues }) => {
  const files = new Set<string>();
  value.forEach(({ file_id }, index) => {
    if (file_id === undefined) return;
    const message = files.has(file_id)
      ? "is in the message already"
      : files.size === MAX_MESSAGE_FILES
        ? `is one too many: a message can have ${MAX_MESSAGE_FILES} files`
        : undefined;
    if (message !== undefined) {
      issues.push({ code: "custom", input: value, path: [index, "file_id"], message });
    }
    files.add(file_id);
  });
};

const checkLength: z.core.CheckFn<{ type: string; text?: string }[]> = ({ value, issues }) => {
  const length = value.reduce((sum, { text = "" }) => sum + text.length, 0);
  if (length <= MAX_CONTENT_LENGTH) return;
  const message = `has texts of more than ${MAX_CONTENT_LENGTH} characters together`;
  issues.push({ code: "custom", input: value, path: [], message });
};

/** What a client sends as a user message: parts, or a string as short form of one text part. */
export const Content = z
  .union([
    NonBlankText.transform((text) => [{ type: "text" as const, text }]),
    z
      .array(z.discriminatedUnion("type", [TextContent, FileContent]))
      .min(1, "must have at least one part")
      .max(MAX_CONTENT_PARTS)
      .check(checkFiles, checkLength),
  ])
  .meta({ id: "Content" });
export type Content = z.infer<typeof Content>;

/** What a user message holds. */
export const UserContent = z
  .array(z.discriminatedUnion("type", [TextPart, FilePart]))
  .meta({ id: "UserContent" });
export type UserContent = z.infer<typeof UserContent>;
