import { describe, expect, it } from "vitest";
import { calculateCostMicros } from "./model-usage";

const prices = {
  input: 3_000_000,
  output: 15_000_000,
  cache_read: 300_000,
  cache_write: 3_750_000,
};

describe("calculateCostMicros", () => {
  it("is 0 without prices", () => {
    expect(calculateCostMicros({ input_tokens: 1_000, output_tokens: 1_000 }, null)).toBe(0);
  });

  it("charges input and output at their prices per million tokens", () => {
    expect(calculateCostMicros({ input_tokens: 1_000_000, output_tokens: 1_000_000 }, prices)).toBe(
      18_000_000,
    );
    expect(calculateCostMicros({ input_tokens: 10, output_tokens: 2 }, prices)).toBe(60);
  });

  it("charges cached tokens, which are part of the input, at their own prices", () => {
    const usage = {
      input_tokens: 1_000,
      output_tokens: 0,
      cache_read_tokens: 800,
      cache_write_tokens: 100,
    };
    expect(calculateCostMicros(usage, prices)).toBe(100 * 3 + 800 * 0.3 + 100 * 3.75);
    const { input, output } = prices;
    expect(calculateCostMicros(usage, { input, output })).toBe(1_000 * 3);
  });

  it("counts reasoning tokens once, as output", () => {
    const usage = { input_tokens: 0, output_tokens: 100, reasoning_tokens: 90 };
    expect(calculateCostMicros(usage, prices)).toBe(1_500);
  });

  it("rounds up so that small calls are not free", () => {
    expect(
      calculateCostMicros({ input_tokens: 1, output_tokens: 0 }, { input: 50_000, output: 0 }),
    ).toBe(1);
  });
});
