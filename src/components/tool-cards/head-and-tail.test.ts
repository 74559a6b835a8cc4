import { describe, expect, it } from "vitest";
import { splitHeadAndTail, MAX_SHOWN_BYTES } from "./head-and-tail";

describe("headAndTail", () => {
  it("leaves a text of exactly the limit whole", () => {
    expect(splitHeadAndTail("a".repeat(MAX_SHOWN_BYTES))).toBeUndefined();
  });

  it("cuts one byte more in the middle and says what is missing", () => {
    const text = `start${"a".repeat(MAX_SHOWN_BYTES)}end`;
    const cut = splitHeadAndTail(text);
    expect(cut?.head.startsWith("start")).toBe(true);
    expect(cut?.tail.endsWith("end")).toBe(true);
    expect(cut?.totalBytes).toBe(text.length);
    expect(cut && cut.head.length + cut.tail.length + cut.omittedBytes).toBe(text.length);
  });

  it("counts bytes, not letters", () => {
    expect(splitHeadAndTail("é".repeat(MAX_SHOWN_BYTES / 2))).toBeUndefined();
    expect(splitHeadAndTail("é".repeat(MAX_SHOWN_BYTES / 2 + 1))).toBeDefined();
  });

  it.each([3, 4, 5, 6, 7])("never splits a character (limit %i)", (limit) => {
    const cut = splitHeadAndTail("😀😀😀😀😀", limit);
    expect(cut?.head.isWellFormed()).toBe(true);
    expect(cut?.tail.isWellFormed()).toBe(true);
  });
});
