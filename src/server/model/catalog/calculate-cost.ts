import type { ModelPrices } from "@/contract/model";
import type { MessageUsage } from "@/contract/usage";

const TOKENS_PER_PRICE = 1_000_000;
/** The largest value of an integer column. */
const MAX_COST_MICROS = 2 ** 31 - 1;

/**
 * Calculates the cost of a call in millionths of the price list's currency, rounded up so that
 * small calls are not free. Cached tokens without a price of their own cost as much as input.
 */
export const calculateCostMicros = (usage: MessageUsage, prices: ModelPrices | null): number => {
  if (prices === null) return 0;
  const { cache_read_tokens: read = 0, cache_write_tokens: written = 0 } = usage;
  const uncached = Math.max(0, usage.input_tokens - read - written);
  const total =
    uncached * prices.input +
    read * (prices.cache_read ?? prices.input) +
    written * (prices.cache_write ?? prices.input) +
    usage.output_tokens * prices.output;
  return Math.min(Math.ceil(total / TOKENS_PER_PRICE), MAX_COST_MICROS);
};
