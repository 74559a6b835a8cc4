import { describe, expect, it } from "vitest";
import { createTextSplitter } from "./split-text";

const split = (text: string): string[] => createTextSplitter()(text);
const longest = (pieces: readonly string[]): number =>
  Math.max(...pieces.map(({ length }) => length));

describe("a text is split", () => {
  it.each([
    ["without spaces", "(a)b".repeat(5_000)],
    ["with spaces", "(a) ".repeat(5_000)],
    ["in Arabic", "كتب عش".repeat(3_000)],
    ["of symbols of two code units", "😀".repeat(5_000)],
    ["of marks only", "\u0301".repeat(5_000)],
    ["of joiners only", "\u200d".repeat(5_000)],
    ["of lines", "a\n".repeat(5_000)],
  ])("%s into pieces that are short, and nothing is lost", (_, text) => {
    const pieces = split(text);
    expect(pieces.join("")).toBe(text);
    expect(longest(pieces)).toBeLessThanOrEqual(250);
    expect(pieces.length).toBeLessThanOrEqual(2 * Math.ceil(text.length / 250));
  });

  it("after a space, if one is near", () => {
    for (const piece of split("harbor ".repeat(200)).slice(0, -1)) {
      expect(piece).toMatch(/^harbor .* $/);
    }
  });

  it.each([
    ["symbols", "😀"],
    ["families", "👨‍👩‍👧"],
    ["letters with marks", "e\u0301\u0302"],
    ["flags of a style", "❤\ufe0f"],
  ])("between %s", (_, character) => {
    for (const piece of split(character.repeat(1_000))) {
      expect(piece.replaceAll(character, "")).toBe("");
    }
  });

  it("where the texts before it left room", () => {
    const next = createTextSplitter();
    expect(next("a".repeat(200))).toHaveLength(1);
    expect(next("b".repeat(60)).map(({ length }) => length)).toEqual([50, 10]);
    expect(next("c".repeat(240))).toHaveLength(1);
    expect(next("d")).toEqual(["", "d"]);
  });
});
