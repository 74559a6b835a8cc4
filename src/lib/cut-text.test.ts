import { describe, expect, it } from "vitest";
import { cutText } from "./cut-text";

const marker = (bytes: number) => `[${bytes} removed]`;
const getBytes = (text: string) => new TextEncoder().encode(text).length;

describe("cutText", () => {
  it.each([
    ["an empty text", ""],
    ["a text of exactly the budget", "a".repeat(1_000)],
    ["a text of exactly the budget in wide characters", "é".repeat(500)],
  ])("returns %s unchanged", (_what, text) => {
    expect(cutText(text, { maxBytes: 1_000, marker })).toBe(text);
  });

  it("keeps two thirds of the budget at the head and one third at the tail", () => {
    const text = "h".repeat(5_000) + "t".repeat(5_000);
    const cut = cutText(text, { maxBytes: 1_156, marker });
    expect(cut).toBe(`${"h".repeat(600)}[9100 removed]${"t".repeat(300)}`);
  });

  it("cuts a text of one byte above the budget", () => {
    expect(cutText("a".repeat(1_001), { maxBytes: 1_000, marker })).toContain("removed");
  });

  it.each(["é", "€", "😀"])("never splits %s, at any budget", (character) => {
    const text = character.repeat(2_000);
    for (let maxBytes = 256; maxBytes < 300; maxBytes++) {
      const cut = cutText(text, { maxBytes, marker });
      const [head = "", tail = ""] = cut.split(/\[\d+ removed\]/);
      expect(head + tail).toBe(character.repeat([...(head + tail)].length));
      expect(getBytes(cut)).toBeLessThanOrEqual(maxBytes);
      const removed = Number(/\[(\d+) removed/.exec(cut)?.[1]);
      expect(getBytes(head + tail) + removed).toBe(getBytes(text));
    }
  });

  it("returns only the marker when the budget is too small for text", () => {
    expect(cutText("a".repeat(500), { maxBytes: 100, marker })).toBe("[500 removed]");
  });
});
