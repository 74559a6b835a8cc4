import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelPrices } from "@/contract/model";
import type { MessageUsage } from "@/contract/usage";

/** More than any model reads or writes in one call; the sum of input and output still fits an integer column. */
const MAX_TOKENS = 1_000_000_000;

/**
 * Converts a provider's usage to ours; counts that it did not report are 0 or omitted. Some servers
 * report fractions, negative numbers or texts, so each count is clipped to one that can be stored.
 */
export const toMessageUsage = (usage: LanguageModelV4Usage): MessageUsage => {
  const { inputTokens, outputTokens } = usage;
  const cacheRead = clipTokens(inputTokens.cacheRead);
  const cacheWrite = clipTokens(inputTokens.cacheWrite);
  const reasoning = clipTokens(outputTokens.reasoning);
  const input = inputTokens.total ?? clipTokens(inputTokens.noCache) + cacheRead + cacheWrite;
  const output = outputTokens.total ?? clipTokens(outputTokens.text) + reasoning;
  return {
    input_tokens: clipTokens(input),
    output_tokens: clipTokens(output),
    ...(reasoning > 0 && { reasoning_tokens: reasoning }),
    ...(cacheRead > 0 && { cache_read_tokens: cacheRead }),
    ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }),
  };
};

/** Sums what the responses of one answer have used. */
export const sumUsage = (first: MessageUsage, second: MessageUsage): MessageUsage => ({
  ...first,
  input_tokens: clipTokens(first.input_tokens + second.input_tokens),
  output_tokens: clipTokens(first.output_tokens + second.output_tokens),
  ...sumOptional(first, second, "reasoning_tokens"),
  ...sumOptional(first, second, "cache_read_tokens"),
  ...sumOptional(first, second, "cache_write_tokens"),
});

type OptionalCount = "reasoning_tokens" | "cache_read_tokens" | "cache_write_tokens";

const sumOptional = (
  first: MessageUsage,
  second: MessageUsage,
  name: OptionalCount,
): Partial<Pick<MessageUsage, OptionalCount>> => {
  const sum = (first[name] ?? 0) + (second[name] ?? 0);
  return sum > 0 ? { [name]: clipTokens(sum) } : {};
};

/** @param value a provider's number; its SDK does not check that it is one. */
const clipTokens = (value: unknown): number => {
  const count = Math.trunc(Number(value ?? 0));
  return Number.isNaN(count) ? 0 : Math.min(Math.max(count, 0), MAX_TOKENS);
};

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
