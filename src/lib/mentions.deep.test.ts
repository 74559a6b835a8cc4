import { describe, expect, it } from "vitest";
import { MAX_GROWTH, measureGrowth } from "@/test/cpu-time";
import { findMentionables, findOpenMention, listMentionedNames } from "./mentions";

describe("findMentions", () => {
  it("takes a time that grows with the text", async () => {
    for (const unit of ["`", "@a ", "```\n", "` `` "]) {
      const find = (count: number) =>
        findMentionables(listMentionedNames(`${unit.repeat(count)}@`), []);
      expect(await measureGrowth(JSON.stringify(unit), find, 500), unit).toBeLessThan(MAX_GROWTH);
    }
  });
});

it("findOpenMention does not read the text again where no mention ends at the caret", async () => {
  const line = "`code` of @review, and more\n";
  const texts = new Map([200, 2_000].map((n) => [n, `ada@example.org ${line.repeat(n)} now`]));
  const find = (count: number) => {
    const text = texts.get(count) ?? "";
    return findOpenMention(text, text.length);
  };
  // 0.1 is no growth at all.
  expect(await measureGrowth("a text", find, 200)).toBeLessThan(0.5);
});
