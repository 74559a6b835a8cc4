import type { ModelPrices } from "@/contract/model";
import type { MessageUsage } from "@/contract/usage";

const TOKENS_OF_A_PRICE = 1_000_000;

/**
 * What a call cost, in millionths of the price list's currency, rounded up so that many small
 * calls do not come for free. Cached tokens cost like others where the list has no price for them.
 */
export const costMicros = (usage: MessageUsage, prices: ModelPrices | null): number => {
  if (prices === null) return 0;
  const { cache_read_tokens: read = 0, cache_write_tokens: written = 0 } = usage;
  const fresh = Math.max(0, usage.input_tokens - read - written);
  const total =
    fresh * prices.input +
    read * (prices.cache_read ?? prices.input) +
    written * (prices.cache_write ?? prices.input) +
    usage.output_tokens * prices.output;
  return Math.ceil(total / TOKENS_OF_A_PRICE);
};
