import { describe, expect, it } from "vitest";
import { headAndTail, MAX_SHOWN_BYTES } from "./head-and-tail";

describe("headAndTail", () => {
  it("leaves a text of exactly the limit whole", () => {
    expect(headAndTail("a".repeat(MAX_SHOWN_BYTES))).toBeUndefined();
  });

  it("cuts one byte more in the middle and says what is missing", () => {
    const text = `start${"a".repeat(MAX_SHOWN_BYTES)}end`;
    const cut = headAndTail(text);
    expect(cut?.head.startsWith("start")).toBe(true);
    expect(cut?.tail.endsWith("end")).toBe(true);
    expect(cut?.totalBytes).toBe(text.length);
    expect(cut && cut.head.length + cut.tail.length + cut.omittedBytes).toBe(text.length);
  });

  it("counts bytes, not letters", () => {
    expect(headAndTail("é".repeat(MAX_SHOWN_BYTES / 2))).toBeUndefined();
    expect(headAndTail("é".repeat(MAX_SHOWN_BYTES / 2 + 1))).toBeDefined();
  });

  it.each([3, 4, 5, 6, 7])("never splits a character (limit %i)", (limit) => {
    const cut = headAndTail("😀😀😀😀😀", limit);
    expect(cut?.head.isWellFormed()).toBe(true);
    expect(cut?.tail.isWellFormed()).toBe(true);
  });
});
