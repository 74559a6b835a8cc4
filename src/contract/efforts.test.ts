import { describe, expect, it } from "vitest";
import { type Effort, findNearestEffort } from "./efforts";

const CASES: [wanted: Effort, has: Effort[], found: Effort | undefined][] = [
  ["high", ["low", "high"], "high"],
  ["medium", ["low", "high"], "low"],
  ["max", ["minimal", "low", "medium", "high"], "high"],
  ["xhigh", ["low", "medium", "high", "max"], "high"],
  ["minimal", ["none", "low", "medium"], "low"],
  ["none", ["low", "medium", "high"], "low"],
  ["none", ["none", "low"], "none"],
  ["low", ["none"], undefined],
  ["high", [], undefined],
];

describe("findNearestEffort", () => {
  it.each(CASES)("finds for %s among %j: %s", (wanted, efforts, found) => {
    expect(findNearestEffort(wanted, efforts)).toBe(found);
  });
});
