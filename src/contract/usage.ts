import * as z from "zod";

/** The purpose of a model call. */
export const UsageKind = z.enum(["turn", "advisor", "title", "child", "compaction"]);
export type UsageKind = z.infer<typeof UsageKind>;

export const UsageTotals = z
  .object({
    input_tokens: z.int(),
    output_tokens: z.int(),
    /** Millionths of the currency unit; 0 while the model has no prices. */
    cost_micros: z.int(),
  })
  .meta({ id: "UsageTotals" });
export type UsageTotals = z.infer<typeof UsageTotals>;

export const ChatUsage = UsageTotals.extend({
  by_kind: z.partialRecord(UsageKind, UsageTotals),
}).meta({ id: "ChatUsage" });
export type ChatUsage = z.infer<typeof ChatUsage>;

/** Images and PDFs of earlier messages that a request had no room for. */
export const OmittedFiles = z
  .object({
    images: z.int(),
    pdfs: z.int(),
    /** The oldest file that the request still had: all of these stand before it. */
    before: z.uuid(),
  })
  .meta({ id: "OmittedFiles" });
export type OmittedFiles = z.infer<typeof OmittedFiles>;

/** Tokens of the step that created a message. */
export const MessageUsage = z
  .object({
    input_tokens: z.int(),
    output_tokens: z.int(),
    reasoning_tokens: z.int().optional(),
    cache_read_tokens: z.int().optional(),
    cache_write_tokens: z.int().optional(),
    /** Present if the provider reported no counts, as the answer was stopped before its end. */
    estimated: z.literal(true).optional(),
    /** Absent if the request had all. */
    omitted_files: OmittedFiles.optional(),
  })
  .meta({ id: "MessageUsage" });
export type MessageUsage = z.infer<typeof MessageUsage>;
