import { expect, it } from "vitest";
import { toMessageUsage } from "./model-usage";

const getUsage = (value: unknown) => {
  // A provider's SDK passes on what the server sent.
  const count = value as number;
  return toMessageUsage({
    inputTokens: { total: count, noCache: undefined, cacheRead: count, cacheWrite: undefined },
    outputTokens: { total: undefined, text: count, reasoning: count },
  });
};

it.each([
  [12, 12],
  [3.7, 3],
  ["12", 12],
  [3e9, 1e9],
  [Number.POSITIVE_INFINITY, 1e9],
  [-1, 0],
  [Number.NaN, 0],
  ["many", 0],
  [{}, 0],
  [null, 0],
])("reads %o as %d tokens", (value, tokens) => {
  expect(getUsage(value)).toEqual({
    input_tokens: tokens,
    output_tokens: Math.min(2 * tokens, 1e9),
    ...(tokens > 0 && { reasoning_tokens: tokens, cache_read_tokens: tokens }),
  });
});
