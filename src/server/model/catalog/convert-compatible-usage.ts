import type { LanguageModelV4Usage } from "@ai-sdk/provider";

/** Numbers, as the repairs of the stream leave nothing else; see `createChunkRepair`. */
type Counts = { [key: string]: number | Counts | null | undefined };

/**
 * Converts the usage that servers report in OpenAI's protocol.
 *
 * - Some count reasoning, or more that is paid, outside of the completion: it is in their total only.
 * - Cached tokens stand in several places, and outside of the prompt where a gateway passes on those of Anthropic.
 */
export const convertCompatibleUsage = (usage: object | null | undefined): LanguageModelV4Usage => {
  const counts = (usage ?? {}) as Counts;
  const prompt = findCount(counts, ["prompt_tokens", "input_tokens"]);
  const completion = findCount(counts, ["completion_tokens", "output_tokens"]);
  const reasoning = findCount(counts, [
    "completion_tokens_details.reasoning_tokens",
    "output_tokens_details.reasoning_tokens",
    "reasoning_tokens",
  ]);
  const cacheRead = findCount(counts, [
    "prompt_tokens_details.cached_tokens",
    "input_tokens_details.cached_tokens",
    "cache_read_input_tokens",
    "prompt_cache_hit_tokens",
    "cached_tokens",
  ]);
  const cacheWrite = findCount(counts, [
    "prompt_tokens_details.cache_write_tokens",
    "cache_creation_input_tokens",
  ]);
  const cached = cacheRead + cacheWrite;
  const unnamed = Math.max(0, findCount(counts, ["total_tokens"]) - prompt - completion);
  const isCacheOutside = cached > prompt || (cached > 0 && unnamed === cached);
  const input = isCacheOutside ? prompt + cached : prompt;
  const output = completion + (isCacheOutside ? Math.max(0, unnamed - cached) : unnamed);
  return {
    inputTokens: { total: input, noCache: input - cached, cacheRead, cacheWrite },
    outputTokens: {
      // Reasoning that is part of the output cannot be more than it.
      total: reasoning > output ? output + reasoning : output,
      text: undefined,
      reasoning,
    },
  };
};

/** @returns the largest count of those that are there, else 0: what does not apply is often 0. */
const findCount = (counts: Counts, paths: readonly string[]): number =>
  Math.max(
    0,
    ...paths.map((path) => {
      const [key = "", inner] = path.split(".");
      const value = counts[key];
      const count = inner !== undefined && typeof value === "object" ? value?.[inner] : value;
      return typeof count === "number" ? count : 0;
    }),
  );
