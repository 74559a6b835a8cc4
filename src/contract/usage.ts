import { z } from "zod";

/** What a model call was made for. */
export const UsageKind = z.enum(["turn", "advisor", "title"]);
export type UsageKind = z.infer<typeof UsageKind>;

export const UsageTotals = z
  .object({
    input_tokens: z.int(),
    output_tokens: z.int(),
    /** Millionths of the price list's currency; 0 while a model has no prices. */
    cost_micros: z.int(),
  })
  .meta({ id: "UsageTotals" });
export type UsageTotals = z.infer<typeof UsageTotals>;

export const ChatUsage = UsageTotals.extend({
  by_kind: z.partialRecord(UsageKind, UsageTotals),
}).meta({ id: "ChatUsage" });
export type ChatUsage = z.infer<typeof ChatUsage>;

/** Tokens of the one step that made a message. */
export const MessageUsage = z
  .object({
    input_tokens: z.int(),
    output_tokens: z.int(),
    reasoning_tokens: z.int().optional(),
    cache_read_tokens: z.int().optional(),
    cache_write_tokens: z.int().optional(),
  })
  .meta({ id: "MessageUsage" });
export type MessageUsage = z.infer<typeof MessageUsage>;
