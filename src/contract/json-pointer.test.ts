import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeFragment, parsePointer, toPointer } from "./json-pointer";

it("round-trips any keys", () => {
  const key = fc.oneof(fc.string(), fc.constantFrom("", "~", "/", "~1", "~01", "a/b~c"));
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      expect(parsePointer(toPointer(keys))).toEqual(keys);
    }),
  );
});

it.each([
  [[], ""],
  [["a/b", 0], "/a~1b/0"],
  [["~1", ""], "/~01/"],
])("converts the keys %j to %j", (keys, pointer) => {
  expect(toPointer(keys)).toBe(pointer);
});

it.each([
  ["#", ""],
  ["#/a%20b", "/a b"],
  ["#/%E0%A4%A", "/%E0%A4%A"],
])("decodes the fragment %s to %j", (fragment, pointer) => {
  expect(decodeFragment(fragment)).toBe(pointer);
});
