import { describe, expect, it } from "vitest";
import { createKeyMapper, mapKeys } from "./key-mapper";

const NAMES = new Map([
  ["_filter", "$filter"],
  ["user_name", 'user["name"]'],
  ["ü", "é"],
]);

const mapInPieces = (text: string, length: number): string => {
  const mapper = createKeyMapper(NAMES);
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${length}}`, "g")) ?? [];
  return pieces.map((piece) => mapper.map(piece)).join("") + mapper.flush();
};

describe.each([1, 2, 5, 1_000])("in pieces of %d characters", (length) => {
  it.each<[what: string, text: string, mapped: string]>([
    ["keys", '{"_filter": 1, "a":2}', '{"$filter": 1, "a":2}'],
    ["a key that needs escapes", '{"user_name":{}}', '{"user[\\"name\\"]":{}}'],
    [
      "a key that is written with escapes",
      '{"\\u00fc":0,"\\u005ffilter":1}',
      '{"é":0,"$filter":1}',
    ],
    ["keys at any depth", '[{"x":[{"_filter":[]}]},3]', '[{"x":[{"$filter":[]}]},3]'],
    [
      "keys after values of any kind",
      '{"a":"\\"{","_filter":[1,"_filter"]}',
      '{"a":"\\"{","$filter":[1,"_filter"]}',
    ],
    ["no values", '{"a":"_filter","b":["_filter"]}', '{"a":"_filter","b":["_filter"]}'],
    [
      "digits as they are written",
      '{"_filter":1234567890123456789}',
      '{"$filter":1234567890123456789}',
    ],
    ["a text that ends in a key", '{"a":1,"_fil', '{"a":1,"_fil'],
    ["a key that is no JSON", '{"\\q":1}', '{"\\q":1}'],
    ["what is no JSON", 'oh: "_filter"', 'oh: "_filter"'],
  ])("maps %s", (_what, text, mapped) => {
    expect(mapInPieces(text, length)).toBe(mapped);
    expect(mapKeys(text, NAMES)).toBe(mapped);
  });
});
