import { describe, expect, it } from "vitest";
import { countUses, createQuota } from "./quota";

const advice = {
  type: "advice",
  advice: "Wait.",
  advisor_model: "demo/demo",
  remaining_uses: 1,
};

describe("createQuota", () => {
  it("counts down to 0", () => {
    const quota = createQuota(2, 0);
    expect([quota.reserve(), quota.remaining(), quota.reserve(), quota.remaining()]).toEqual([
      true,
      1,
      true,
      0,
    ]);
    expect(quota.reserve()).toBe(false);
    expect(quota.remaining()).toBe(0);
  });

  it("starts with the uses already committed", () => {
    const quota = createQuota(2, 1);
    expect([quota.reserve(), quota.reserve()]).toEqual([true, false]);
  });

  it("makes a released use available again", () => {
    const quota = createQuota(1, 0);
    quota.reserve();
    quota.release();
    expect(quota.remaining()).toBe(1);
    expect(quota.reserve()).toBe(true);
  });

  it("allows no use when the limit is below the uses already committed", () => {
    const quota = createQuota(1, 3);
    expect(quota.reserve()).toBe(false);
    expect(quota.remaining()).toBe(0);
  });

  it("has no end without a limit", () => {
    const quota = createQuota(null, 1_000);
    expect(quota.reserve()).toBe(true);
    expect(quota.remaining()).toBeNull();
  });
});

it("countUses counts only advice", () => {
  const outcomes = [
    advice,
    { type: "limit_reached", remaining_uses: 0 },
    { type: "error", error: "It failed.", remaining_uses: 1 },
    "Interrupted: the user stopped the turn.",
    undefined,
    null,
    { type: "advice" },
    { ...advice, remaining_uses: 0 },
  ];
  expect(countUses(outcomes)).toBe(2);
});
