import { expect, it } from "vitest";
import { matchesName } from "./name-pattern";

it.each([
  ["restart", "restart", true],
  ["restart", "restart_db", false],
  ["restart", "Restart", false],
  ["restart_*", "restart_db", true],
  ["restart_*", "restart_", true],
  ["restart_*", "x_restart_db", false],
  ["*_db", "restart_db", true],
  ["*_db", "restart_db_2", false],
  ["a*b*c", "a-b-c", true],
  ["a*b*c", "abc", true],
  ["a*b*c", "a-c-b", false],
  ["aba*aba", "aba", false],
  ["aba*aba", "abaaba", true],
  ["*", "", true],
  ["**", "any", true],
  ["a.c", "abc", false],
])("%s and %s: %s", (pattern, name, expected) => {
  expect(matchesName(pattern, name)).toBe(expected);
});

it("takes no time that grows with powers of the length", () => {
  expect(matchesName(`${"*a".repeat(60)}b`, "a".repeat(100_000))).toBe(false);
});
