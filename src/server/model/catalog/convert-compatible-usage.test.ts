import { expect, it } from "vitest";
import type { MessageUsage } from "@/contract/usage";
import { convertCompatibleUsage } from "./convert-compatible-usage";
import { toMessageUsage } from "./model-usage";

const NONE: MessageUsage = { input_tokens: 0, output_tokens: 0 };
const PAIR: MessageUsage = { input_tokens: 20, output_tokens: 6 };

it.each<[server: string, usage: object | null | undefined, expected: MessageUsage]>([
  ["none", undefined, NONE],
  ["null", null, NONE],
  ["empty", {}, NONE],
  ["OpenAI", { prompt_tokens: 20, completion_tokens: 6, total_tokens: 26 }, PAIR],
  ["without a total", { prompt_tokens: 20, completion_tokens: 6 }, PAIR],
  ["a total that is too small", { prompt_tokens: 20, completion_tokens: 6, total_tokens: 9 }, PAIR],
  ["only a total", { total_tokens: 26 }, { input_tokens: 0, output_tokens: 26 }],
  ["Responses", { input_tokens: 20, output_tokens: 6, total_tokens: 26 }, PAIR],
  [
    "OpenAI with reasoning and a cache",
    {
      prompt_tokens: 20,
      completion_tokens: 6,
      total_tokens: 26,
      prompt_tokens_details: { cached_tokens: 15 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
    { ...PAIR, reasoning_tokens: 4, cache_read_tokens: 15 },
  ],
  [
    "xAI, which counts reasoning apart",
    {
      prompt_tokens: 20,
      completion_tokens: 4,
      total_tokens: 324,
      completion_tokens_details: { reasoning_tokens: 300 },
    },
    { input_tokens: 20, output_tokens: 304, reasoning_tokens: 300 },
  ],
  [
    "the same without a total",
    {
      prompt_tokens: 20,
      completion_tokens: 4,
      completion_tokens_details: { reasoning_tokens: 300 },
    },
    { input_tokens: 20, output_tokens: 304, reasoning_tokens: 300 },
  ],
  [
    "Gemini's compatible API, which does not name its thoughts",
    { prompt_tokens: 20, completion_tokens: 4, total_tokens: 324 },
    { input_tokens: 20, output_tokens: 304 },
  ],
  [
    "Perplexity",
    {
      prompt_tokens: 20,
      completion_tokens: 6,
      total_tokens: 26,
      reasoning_tokens: 3,
      num_search_queries: 2,
    },
    { ...PAIR, reasoning_tokens: 3 },
  ],
  [
    "DeepSeek",
    {
      prompt_tokens: 20,
      completion_tokens: 6,
      total_tokens: 26,
      prompt_cache_hit_tokens: 15,
      prompt_cache_miss_tokens: 5,
    },
    { ...PAIR, cache_read_tokens: 15 },
  ],
  [
    "Moonshot",
    { prompt_tokens: 20, completion_tokens: 6, total_tokens: 26, cached_tokens: 15 },
    { ...PAIR, cache_read_tokens: 15 },
  ],
  [
    "OpenRouter",
    {
      prompt_tokens: 20,
      completion_tokens: 6,
      total_tokens: 26,
      cost: 0.01,
      prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    { ...PAIR, cache_read_tokens: 10, cache_write_tokens: 5 },
  ],
  [
    "LiteLLM with Anthropic, whose cache is part of the prompt",
    {
      prompt_tokens: 20,
      completion_tokens: 6,
      total_tokens: 26,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 5,
    },
    { ...PAIR, cache_read_tokens: 10, cache_write_tokens: 5 },
  ],
  [
    "a gateway that passes Anthropic's counts on, with the cache apart",
    {
      input_tokens: 20,
      output_tokens: 6,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 50,
    },
    { input_tokens: 170, output_tokens: 6, cache_read_tokens: 100, cache_write_tokens: 50 },
  ],
  [
    "the same with a total",
    { prompt_tokens: 200, completion_tokens: 6, total_tokens: 306, cache_read_input_tokens: 100 },
    { input_tokens: 300, output_tokens: 6, cache_read_tokens: 100 },
  ],
])("converts the usage of %s", (_server, usage, expected) => {
  expect(toMessageUsage(convertCompatibleUsage(usage))).toEqual(expected);
});
