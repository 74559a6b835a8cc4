import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeJsonText,
  decodeText,
  encodeJsonText,
  encodeValue,
  fromJsonText,
  toJsonText,
} from "./nul";

/** Texts of mostly those characters that the encoding treats specially. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom("\0", "\uFDD0", "\uFDD1", "\uFDD2", "\\", "u0000", "\\u0000", "\\ud800", '"'),
      fc.string({ unit: "binary" }),
    ),
  )
  .map((pieces) => pieces.join("").toWellFormed());

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom(null, true, 0, 1.5),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

describe("the NUL encoding", () => {
  it("gives every well-formed text back and stores no NUL", () => {
    fc.assert(
      fc.property(text, (original) => {
        const encoded = encodeValue(original) as string;
        expect(encoded).not.toContain("\0");
        expect(decodeText(encoded)).toBe(original);
        expect(encodeValue([original, [original]])).toEqual([encoded, [encoded]]);
      }),
    );
  });

  it("gives every JSON value back, keys included, and is not changed by being bound", () => {
    fc.assert(
      fc.property(json, (original) => {
        const written = toJsonText(original);
        expect(encodeValue(written)).toBe(written);
        expect(fromJsonText(written)).toEqual(original);
      }),
    );
  });

  it("gives JSON back that was bound as it was", () => {
    const value = { "\uFDD0": ["\uFDD1", "\uFDD0\uFDD2"] };
    expect(fromJsonText(encodeValue(JSON.stringify(value)) as string)).toEqual(value);
  });

  it("keeps the digits of numbers", () => {
    const text = '{"a":"\\u0000","b":[1234567890123456789,1e400]}';
    expect(decodeJsonText(encodeJsonText(text))).toBe(text);
    expect(toJsonText(fromJsonText(encodeJsonText(text)))).toBe(encodeJsonText(text));
  });

  it("leaves a value without such characters as it is", () => {
    const value = { a: ["text", { b: "\\u0000 in letters" }] };
    expect(toJsonText(value)).toBe(JSON.stringify(value));
    const date = new Date();
    expect([1, true, null, date].map(encodeValue)).toEqual([1, true, null, date]);
  });

  it("replaces lone surrogates, in keys too", () => {
    expect(encodeValue("a\uD800b")).toBe("a\uFFFDb");
    expect(fromJsonText(toJsonText({ "\uDC00": "\uD800" }))).toEqual({ "\uFFFD": "\uFFFD" });
  });

  it("keeps a key named __proto__ a key", () => {
    const value = JSON.parse(String.raw`{"__proto__":"\u0000"}`) as unknown;
    const back = fromJsonText(toJsonText(value));
    expect(Object.keys(back as object)).toEqual(["__proto__"]);
    expect(JSON.stringify(back)).toBe(JSON.stringify(value));
  });
});
