import { describe, expect, it } from "vitest";
import {
  copyValue,
  isExactNumber,
  mayBeRounded,
  parseExactJson,
  parseExactNumber,
  parseShownJson,
  roundNumbers,
} from "./exact-json";

/** Numbers that JavaScript's would round, and some that look like it. */
const KEPT = [
  "1234567890123456789",
  "-1234567890123456789",
  "9007199254740993",
  "18446744073709551615",
  "1764028800123456789",
  "0.12345678901234567890",
  "1e400",
  "-1E+400",
  "1e-400",
  "123456789012345678901234567890",
  "1.0000000000000000001",
  "12345678901234567e-3",
];

const NUMBERS = [
  "0",
  "-0",
  "1",
  "-1.5",
  "9007199254740991",
  "9007199254740992",
  "0.1",
  "0.30000000000000004",
  "1.7976931348623157e308",
  "5e-324",
  "1e21",
  "1000000000000000000000",
  "1.50000000000000000000",
  "1E2",
  "0e999",
  "0.000000000000000000",
  "100000000000000000000000000",
];

describe("mayBeRounded", () => {
  it.each([
    "1e400",
    "-1E+400",
    '{"a":1e400}',
    '{ "a" : [1, -2.5e-400] }',
    "[1,2E400]",
    "data:1e400",
    "[\n1e400]",
    "9007199254740993",
  ])("is true for %j", (text) => {
    expect(mayBeRounded(text)).toBe(true);
  });

  it.each(["1e4", '{"id":"1e234567-89ab-4e12-8e34-1e5678901234"}', '{"t":"12:30:59.123456"}'])(
    "is false for %j, so a read of rows with UUIDs costs no more than others",
    (text) => {
      expect(mayBeRounded(text)).toBe(false);
    },
  );
});

describe("parseExactJson", () => {
  it.each(KEPT)("keeps the digits of %s", (text) => {
    const value = parseExactJson(`{"a":[{"b":${text}}],"c":1}`);
    expect(JSON.stringify(value)).toBe(`{"a":[{"b":${text}}],"c":1}`);
    expect(isExactNumber(parseExactJson(text))).toBe(true);
  });

  it("reads a number of a million digits without delay for each zero", () => {
    const text = `1${"0".repeat(1_000_000)}1`;
    expect(JSON.stringify(parseExactJson(`[${text}]`))).toBe(`[${text}]`);
  });

  it.each(NUMBERS)("reads %s as a number", (text) => {
    expect(parseExactJson(text)).toBe(JSON.parse(text));
    expect(parseExactJson(`[${text},1234567890123456789]`)).toMatchObject([JSON.parse(text), {}]);
  });

  it("leaves digits in texts and keys as they are", () => {
    const value = {
      "1234567890123456789": "1234567890123456789",
      t: "1e400",
      d: "2026.11.26.23.59",
    };
    expect(parseExactJson(JSON.stringify(value))).toEqual(value);
  });

  it.each([
    "",
    "{",
    "01234567890123456789",
    "1234567890123456789.",
    "NaN",
    "[1234567890123456789,]",
  ])("refuses %s as JSON.parse does", (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it("keeps the keys that every object has", () => {
    const text = '{"__proto__":1234567890123456789,"constructor":2}';
    expect(JSON.stringify(parseExactJson(text))).toBe(text);
  });
});

describe("parseShownJson", () => {
  it.each(KEPT)("gives %s as a text", (text) => {
    expect(parseShownJson(`{"a":[${text},1],"b":"x"}`)).toEqual({ a: [text, 1], b: "x" });
  });
});

describe("copyValue", () => {
  it("keeps digits, and shares no objects", () => {
    const value = { a: [parseExactJson("1234567890123456789")], b: { c: new Uint8Array([1]) } };
    const copy = copyValue(value);
    expect(JSON.stringify(copy.a)).toBe("[1234567890123456789]");
    expect(copy.b).toEqual(value.b);
    expect(copy.a).not.toBe(value.a);
    expect(copy.b.c).not.toBe(value.b.c);
  });
});

describe("parseExactNumber", () => {
  it("gives the text where the runtime has no exact numbers", () => {
    const rawJSON: unknown = Reflect.get(JSON, "rawJSON");
    Reflect.deleteProperty(JSON, "rawJSON");
    try {
      expect(parseExactNumber("1234567890123456789")).toBe("1234567890123456789");
      expect(parseExactNumber("12")).toBe(12);
    } finally {
      Object.defineProperty(JSON, "rawJSON", { value: rawJSON, configurable: true });
    }
  });
});

describe("roundNumbers", () => {
  it("gives numbers that a check can compute with", () => {
    const value = parseExactJson('{"a":[1234567890123456789,1e400],"b":"x"}');
    expect(roundNumbers(value)).toEqual({ a: [1234567890123456800, Infinity], b: "x" });
  });

  it("gives a value without such numbers back", () => {
    const value = { a: [1, "1234567890123456789"] };
    expect(roundNumbers(value)).toEqual(value);
    expect(roundNumbers(undefined)).toBe(undefined);
  });
});
