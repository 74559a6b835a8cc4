import { describe, expect, it } from "vitest";
import { splitJson } from "./json-tokens";

const BROKEN = [
  "",
  "{",
  '{"a',
  '{"a\n"b": 1}',
  '{"a\\',
  '{"a": "b\\"c", d}',
  "\\\\\\",
  "- 1 e5 tru",
  '"\u2028\u{1f600}"',
];

describe("splitJson", () => {
  it("tells names, texts and values apart", () => {
    expect(splitJson('{"a" : "b: \\"c\\"", "d":[-1.5e3,true,null]}')).toEqual([
      { kind: "other", text: "{" },
      { kind: "name", text: '"a"' },
      { kind: "other", text: " : " },
      { kind: "string", text: '"b: \\"c\\""' },
      { kind: "other", text: ", " },
      { kind: "name", text: '"d"' },
      { kind: "other", text: ":[" },
      { kind: "value", text: "-1.5e3" },
      { kind: "other", text: "," },
      { kind: "value", text: "true" },
      { kind: "other", text: "," },
      { kind: "value", text: "null" },
      { kind: "other", text: "]}" },
    ]);
  });

  it("ends a text that is being written with its line", () => {
    expect(splitJson('{"a\n "b": 1')).toEqual([
      { kind: "other", text: "{" },
      { kind: "string", text: '"a' },
      { kind: "other", text: "\n " },
      { kind: "name", text: '"b"' },
      { kind: "other", text: ": " },
      { kind: "value", text: "1" },
    ]);
  });

  it.each(BROKEN)("loses no character of %j", (text) => {
    const texts = splitJson(text).map((token) => token.text);
    expect(texts.join("")).toBe(text);
  });
});
