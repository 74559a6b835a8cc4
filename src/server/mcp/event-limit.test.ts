import { describe, expect, it } from "vitest";
import { createEventLimit } from "./event-limit";

/** @returns whether all of a text is within the limit, given in chunks of a size. */
const isWithin = (text: string, chunkSize: number): boolean => {
  const limit = createEventLimit(20);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkSize) {
    if (!limit(bytes.subarray(at, at + chunkSize))) return false;
  }
  return true;
};

describe.each([1, 2, 3, 1_000])("in chunks of %i bytes", (chunkSize) => {
  it.each(["\n", "\r\n", "\r"])("an event has all of its lines counted: %j", (end) => {
    expect(isWithin(`data: 12345${end}`.repeat(5), chunkSize)).toBe(false);
  });

  it.each(["\n", "\r\n", "\r"])("each event is counted for itself: %j", (end) => {
    expect(isWithin(`data: 12345${end}${end}`.repeat(50), chunkSize)).toBe(true);
  });

  it("a long line is too long", () => {
    expect(isWithin(`data: 1\n\ndata: ${"x".repeat(20)}\n\n`, chunkSize)).toBe(false);
  });
});
