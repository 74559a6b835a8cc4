import { describe, expect, it } from "vitest";
import { retryDelay } from "./retry-delay";

describe("retryDelay", () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [6, 32_000],
    [7, 60_000],
    [9, 60_000],
    [2_000, 60_000],
  ])("after %i failures waits at most %i ms", (failures, longest) => {
    expect(retryDelay(failures, 0)).toBe(longest);
    expect(retryDelay(failures, 1)).toBe(longest / 2);
    expect(retryDelay(failures, 0.5)).toBe(longest * 0.75);
  });

  it("waits as long as the provider asked when that is longer", () => {
    expect(retryDelay(1, 0, 90_000)).toBe(90_000);
    expect(retryDelay(7, 0, 5_000)).toBe(60_000);
    expect(retryDelay(1, 0.5, undefined)).toBe(750);
  });
});
