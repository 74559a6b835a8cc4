import { expect, it } from "vitest";
import { compareVersions } from "./compare-versions";

it.each([
  ["2", "10", -1],
  ["1.10.0", "1.9.9", 1],
  ["1.4", "1.4.0", 0],
  ["1.4", "1.4.1", -1],
  ["2026.11.29", "2026.11.28", 1],
])("compares %s with %s", (one, other, expected) => {
  expect(Math.sign(compareVersions(one, other))).toBe(expected);
});
