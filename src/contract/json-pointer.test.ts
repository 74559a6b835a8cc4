import fc from "fast-check";
import { expect, it } from "vitest";
import { fragmentPointer, pointerKeys, toPointer } from "./json-pointer";

it("leads to any keys and back", () => {
  const key = fc.oneof(fc.string(), fc.constantFrom("", "~", "/", "~1", "~01", "a/b~c"));
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      expect(pointerKeys(toPointer(keys))).toEqual(keys);
    }),
  );
});

it.each([
  [[], ""],
  [["a/b", 0], "/a~1b/0"],
  [["~1", ""], "/~01/"],
])("%j is %j", (keys, pointer) => {
  expect(toPointer(keys)).toBe(pointer);
});

it.each([
  ["#", ""],
  ["#/a%20b", "/a b"],
  ["#/%E0%A4%A", "/%E0%A4%A"],
])("%s means %j", (fragment, pointer) => {
  expect(fragmentPointer(fragment)).toBe(pointer);
});
