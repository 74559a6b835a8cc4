import { describe, expect, it } from "vitest";
import { joinSources, toByteSource } from "./byte-source";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const joined = joinSources(toByteSource(encode("abcde")), toByteSource(encode("fgh")));

describe("two sources that are joined", () => {
  it.each([
    [0, 8, "abcdefgh"],
    [0, 5, "abcde"],
    [1, 3, "bcd"],
    [3, 4, "defg"],
    [5, 3, "fgh"],
    [6, 2, "gh"],
    [8, 0, ""],
  ])("have, from %i on, the %i bytes %j", (start, length, text) => {
    const target = new Uint8Array(length);
    joined.read(target, start);
    expect([joined.length, new TextDecoder().decode(target)]).toEqual([8, text]);
  });

  it("may be empty", () => {
    const bytes = encode("abc");
    const none = toByteSource(new Uint8Array());
    for (const source of [
      joinSources(none, toByteSource(bytes)),
      joinSources(toByteSource(bytes), none),
    ]) {
      const target = new Uint8Array(source.length);
      source.read(target, 0);
      expect(target).toEqual(bytes);
    }
  });
});
