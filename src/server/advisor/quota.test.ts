import { describe, expect, it } from "vitest";
import { countUses, createQuota } from "./quota";

const advice = {
  type: "advice",
  advice: "Wait.",
  advisor_model: "demo/demo",
  remaining_uses: 1,
};

describe("a turn's uses", () => {
  it("run out", () => {
    const quota = createQuota(2, 0);
    expect([quota.take(), quota.remaining(), quota.take(), quota.remaining()]).toEqual([
      ...[true, 1, true, 0],
    ]);
    expect(quota.take()).toBe(false);
    expect(quota.remaining()).toBe(0);
  });

  it("begin with what was used before", () => {
    const quota = createQuota(2, 1);
    expect([quota.take(), quota.take()]).toEqual([true, false]);
  });

  it("come back when they are given back", () => {
    const quota = createQuota(1, 0);
    quota.take();
    quota.giveBack();
    expect(quota.remaining()).toBe(1);
    expect(quota.take()).toBe(true);
  });

  it("are none when the limit was lowered below what was used", () => {
    const quota = createQuota(1, 3);
    expect(quota.take()).toBe(false);
    expect(quota.remaining()).toBe(0);
  });

  it("do not run out without a limit", () => {
    const quota = createQuota(null, 1_000);
    expect(quota.take()).toBe(true);
    expect(quota.remaining()).toBeNull();
  });
});

it("only advice is a use", () => {
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
