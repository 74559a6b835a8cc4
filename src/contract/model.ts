import { z } from "zod";

export const ProviderName = z.enum(["demo", "openai", "anthropic", "google", "openai-compatible"]);
export type ProviderName = z.infer<typeof ProviderName>;

/** Prices per million tokens, in millionths of the currency unit. */
export const ModelPrices = z.object({
  input: z.int().nonnegative(),
  output: z.int().nonnegative(),
  cache_read: z.int().nonnegative().optional(),
  cache_write: z.int().nonnegative().optional(),
});
export type ModelPrices = z.infer<typeof ModelPrices>;

/** A model that chats can use. */
export const Model = z
  .object({
    id: z.uuid(),
    provider: ProviderName,
    model: z.string(),
    name: z.string(),
    context_limit: z.int().nullable(),
    prices: ModelPrices.optional(),
    enabled: z.boolean(),
    is_default: z.boolean(),
  })
  .meta({ id: "Model" });
export type Model = z.infer<typeof Model>;
