import { describe, expect, it } from "vitest";
import { calculateRetryDelay } from "./retry-delay";

describe("calculateRetryDelay", () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [6, 32_000],
    [7, 60_000],
    [9, 60_000],
    [2_000, 60_000],
  ])("after %i failures waits at most %i ms", (failures, maxDelay) => {
    expect(calculateRetryDelay(failures, 0)).toBe(maxDelay);
    expect(calculateRetryDelay(failures, 1)).toBe(maxDelay / 2);
    expect(calculateRetryDelay(failures, 0.5)).toBe(maxDelay * 0.75);
  });

  it("waits at least as long as the provider asks", () => {
    expect(calculateRetryDelay(1, 0, 90_000)).toBe(90_000);
    expect(calculateRetryDelay(7, 0, 5_000)).toBe(60_000);
    expect(calculateRetryDelay(1, 0.5, undefined)).toBe(750);
  });
});
