import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { HOSTILE_MARKDOWN } from "@/test/hostile-markdown";
import { chooseBlocks, PAGE_LIMITS, type ParseLimits, SERVER_LIMITS } from "./choose-blocks";
import { normalizeMath } from "./normalize-math";
import { splitBlocks } from "./split-blocks";

const choose = (text: string, limits: ParseLimits = PAGE_LIMITS) =>
  chooseBlocks(splitBlocks(normalizeMath(text)), limits);

const isPlain = ({ cost }: { cost: number }): boolean => cost === Infinity;

/** Nested or marked so much that a parser takes seconds to hours for them. */
const WORST = ["strong words", "emphasis in each other", "quotations in each other"].concat([
  "lists in each other",
  "lists and quotations in each other",
  "ordered lists in each other",
  "two long rows of stars",
  "brackets in each other",
  "closing brackets",
  "underlined headings",
  "short rows of a wide table",
  "a quotation with lazy lines",
  "what looks like a table in a comment",
  "what looks like a table in a paragraph",
]);

describe("chooseBlocks", () => {
  it.each(Object.entries(HOSTILE_MARKDOWN))("bounds what is parsed of %s", (_name, create) => {
    for (const limits of [SERVER_LIMITS, PAGE_LIMITS]) {
      const blocks = choose(create(160_000), limits);
      const parsed = blocks.filter((block) => !isPlain(block)).map(({ cost }) => cost);
      expect(Math.max(0, ...parsed)).toBeLessThanOrEqual(limits.block);
      expect(parsed.reduce((sum, cost) => sum + cost, 0)).toBeLessThanOrEqual(limits.text);
    }
  });

  it.each(WORST)("shows %s as written", (name) => {
    const blocks = choose(HOSTILE_MARKDOWN[name]?.(160_000) ?? "");
    expect(blocks.some(isPlain)).toBe(true);
    const parsed = blocks.filter((block) => !isPlain(block)).map(({ text }) => text);
    expect(parsed.join("").length).toBeLessThan(20_000);
  });

  it.each([
    ["400 lists", `${"- ".repeat(400)}a`],
    ["3,000 quotations", `${"> ".repeat(3_000)}a`],
    ["lists on 100 lines", HOSTILE_MARKDOWN["lists by their indent"]?.(10_000) ?? ""],
  ])("shows %s in each other as written", (_name, text) => {
    expect(chooseBlocks([text], PAGE_LIMITS)).toEqual([{ text, cost: Infinity }]);
  });

  it.each([
    ["20,000 addresses", "www.a.b ".repeat(20_000)],
    ["27,000 addresses of mail", "a@b.c ".repeat(27_000)],
    ["a row of 40,000 cells", `|${"a|".repeat(40_000)}\n|${"-|".repeat(40_000)}`],
    [
      "80,000 cells",
      `|${"a|".repeat(4)}\n|${"-|".repeat(4)}\n${`|${"b|".repeat(4)}\n`.repeat(20_000)}`,
    ],
  ])("shows %s, which take long to draw, as written", (_name, text) => {
    expect(chooseBlocks([text], PAGE_LIMITS)).toEqual([{ text, cost: Infinity }]);
  });

  it("shows many small blocks after the budget as one", () => {
    const blocks = choose("# a\n".repeat(40_000));
    expect(blocks.filter(isPlain)).toHaveLength(1);
    expect(blocks.map(({ text }) => text).join("")).toBe("# a\n".repeat(40_000));
  });

  it("parses the blocks around one that is shown as written", () => {
    const worst = HOSTILE_MARKDOWN["strong words"]?.(160_000) ?? "";
    const blocks = choose(`# A title\n\n${worst}\n\n- an item\n`);
    expect(blocks.map(isPlain)).toEqual([false, true, false]);
  });

  it.each([
    ["a list", "- **term**: [link](https://a.example) and `code`\n".repeat(500)],
    ["a list in a list", `- a\n${"  - **b** `c`\n".repeat(300)}`],
    ["a table", `|a|b|c|\n|-|-|-|\n${"|**a**|snake_case_b|[c](https://a.example)|\n".repeat(500)}`],
    ["code", `\`\`\`ts\n${"const a = b * c; // [d] <e>\n".repeat(2_000)}\`\`\`\n`],
    ["a paragraph", "The **tide** is high at _six_, and `low` at noon. ".repeat(100)],
  ])("parses %s that is only long", (_name, text) => {
    expect(choose(text).some(isPlain)).toBe(false);
  });

  it("parses the documents of this project", () => {
    const files = readdirSync("docs", { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(".md"))) {
      const blocks = choose(readFileSync(`docs/${file}`, "utf8"));
      expect(blocks.some(isPlain), file).toBe(false);
    }
  });
});
