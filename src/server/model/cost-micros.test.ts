import { describe, expect, it } from "vitest";
import { costMicros } from "./cost-micros";

const prices = {
  input: 3_000_000,
  output: 15_000_000,
  cache_read: 300_000,
  cache_write: 3_750_000,
};

describe("costMicros", () => {
  it("is nothing without prices", () => {
    expect(costMicros({ input_tokens: 1_000, output_tokens: 1_000 }, null)).toBe(0);
  });

  it("charges input and output at their prices per million", () => {
    expect(costMicros({ input_tokens: 1_000_000, output_tokens: 1_000_000 }, prices)).toBe(
      18_000_000,
    );
    expect(costMicros({ input_tokens: 10, output_tokens: 2 }, prices)).toBe(60);
  });

  it("charges cached tokens, which are part of the input, at their own prices", () => {
    const usage = {
      input_tokens: 1_000,
      output_tokens: 0,
      cache_read_tokens: 800,
      cache_write_tokens: 100,
    };
    expect(costMicros(usage, prices)).toBe(100 * 3 + 800 * 0.3 + 100 * 3.75);
    const { input, output } = prices;
    expect(costMicros(usage, { input, output })).toBe(1_000 * 3);
  });

  it("counts reasoning once, as the output that it is", () => {
    const usage = { input_tokens: 0, output_tokens: 100, reasoning_tokens: 90 };
    expect(costMicros(usage, prices)).toBe(1_500);
  });

  it("rounds up, so that small calls are not free", () => {
    expect(costMicros({ input_tokens: 1, output_tokens: 0 }, { input: 50_000, output: 0 })).toBe(1);
  });
});
