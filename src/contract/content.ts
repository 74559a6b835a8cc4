import * as z from "zod";
import { MAX_CONTENT_PARTS, MAX_TEXT_LENGTH } from "./limits";

/** Text without NUL or lone surrogates, which the database and some providers reject. */
export const Text = z
  .string()
  .refine((text) => !text.includes("\0"), "must not contain NUL characters")
  .refine((text) => text.isWellFormed(), "must be well-formed Unicode (it has a lone surrogate)");

const NonBlankText = Text.max(MAX_TEXT_LENGTH).refine(
  (text) => text.trim() !== "",
  "must not be blank",
);

/** One part of a user message. */
const ContentPart = z.strictObject({ type: z.literal("text"), text: NonBlankText });

/** Content of a user message: parts, or a string as short form of one text part. */
export const Content = z
  .union([
    NonBlankText.transform((text) => [{ type: "text" as const, text }]),
    z.array(ContentPart).min(1, "must have at least one part").max(MAX_CONTENT_PARTS),
  ])
  .meta({ id: "Content" });
export type Content = z.infer<typeof Content>;
