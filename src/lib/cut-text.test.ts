import { describe, expect, it } from "vitest";
import { cutText } from "./cut-text";

const marker = (bytes: number) => `[${bytes} left out]`;
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

describe("cutText", () => {
  it.each([
    ["an empty text", ""],
    ["a text of exactly the budget", "a".repeat(1_000)],
    ["a text of exactly the budget in wide characters", "é".repeat(500)],
  ])("lets through %s", (_what, text) => {
    expect(cutText(text, { maxBytes: 1_000, marker })).toBe(text);
  });

  it("keeps two thirds of the room at the head and one at the tail", () => {
    const text = "h".repeat(5_000) + "t".repeat(5_000);
    const cut = cutText(text, { maxBytes: 1_156, marker });
    expect(cut).toBe(`${"h".repeat(600)}[9100 left out]${"t".repeat(300)}`);
  });

  it("cuts one byte above the budget", () => {
    expect(cutText("a".repeat(1_001), { maxBytes: 1_000, marker })).toContain("left out");
  });

  it.each(["é", "€", "😀"])("never splits %s, at any budget", (character) => {
    const text = character.repeat(2_000);
    for (let maxBytes = 256; maxBytes < 300; maxBytes++) {
      const cut = cutText(text, { maxBytes, marker });
      const [head = "", tail = ""] = cut.split(/\[\d+ left out\]/);
      expect(head + tail).toBe(character.repeat([...(head + tail)].length));
      expect(bytesOf(cut)).toBeLessThanOrEqual(maxBytes);
      const leftOut = Number(/\[(\d+) left/.exec(cut)?.[1]);
      expect(bytesOf(head + tail) + leftOut).toBe(bytesOf(text));
    }
  });

  it("leaves only the marker when the budget has no room for text", () => {
    expect(cutText("a".repeat(500), { maxBytes: 100, marker })).toBe("[500 left out]");
  });
});
