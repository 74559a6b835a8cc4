import { expect, it } from "vitest";
import { isSameJson } from "./is-same-json";

it.each([
  [1, 1],
  [null, null],
  [
    [1, { a: "b" }],
    [1, { a: "b" }],
  ],
  [
    { a: 1, b: [] },
    { b: [], a: 1 },
  ],
])("%j is the same as %j", (one, other) => {
  expect(isSameJson(one, other)).toBe(true);
});

it.each([
  [1, "1"],
  [null, {}],
  [null, undefined],
  [[], {}],
  [[1], [1, 2]],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ toString: 1 }, { a: 1 }],
  [{ a: { b: 1 } }, { a: { b: 2 } }],
])("%j is another value than %j", (one, other) => {
  expect(isSameJson(one, other)).toBe(false);
});
