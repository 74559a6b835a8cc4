import { describe, expect, it } from "vitest";
import { stripMarkdown } from "./strip-markdown";

const strip = (text: string): string => stripMarkdown(text).replaceAll(/\s+/g, " ").trim();

describe("stripMarkdown", () => {
  it.each([
    ["emphasis", "**bold**, *slanted*, _slanted_ and ~~gone~~", "bold, slanted, slanted and gone"],
    ["code", "run `npm start` now", "run npm start now"],
    ["a heading and a list", "## Plan\n- [x] pack\n* sail\n1. eat", "Plan pack sail 1. eat"],
    ["a quotation", "> said so", "said so"],
    [
      "links and images",
      "see [the docs](https://example.org/a) ![a map](map.png)",
      "see the docs a map",
    ],
    ["a link that is cut off", "see [the docs](https://exam", "see the docs"],
    ["a fence with its language", "so:\n```ts\nconst depth = 4;\n```", "so: const depth = 4;"],
    ["a table", "| Port | Depth |\n|---|---:|\n| Oban | 4 |", "Port Depth Oban 4"],
    ["markup that is cut off", "is **very impor", "is very impor"],
  ])("removes %s", (_, markdown, text) => {
    expect(strip(markdown)).toBe(text);
  });

  it.each(["2**3 = 8", "2 * 3 * 4", "snake_case_name", "a | b", "#1 of 2", "_private", "5 - 3"])(
    "leaves %s as it is",
    (text) => {
      expect(strip(text)).toBe(text);
    },
  );
});
