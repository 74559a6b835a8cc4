const fill = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Repetitions of Markdown that a parser reads slowly, or nests deeply; none has a blank line. */
const UNITS = {
  "strong words": "**a**",
  "emphasis that is not closed": "*a ",
  "emphasis that is not opened": "a* ",
  underscores: "_a_ ",
  "a mix of stars": "***a**b*c ",
  "words that are crossed out": "~~a",
  "Chinese emphasis": "中*",
  "pairs of surrogates with stars": "😀*",
  "marks with changes of direction": "\u202e*a*",
  "opening brackets": "[",
  "closing brackets": "]",
  links: "[a](b)",
  "links that are not closed": "[a](",
  "titles that are not closed": '[a](b "c',
  images: "![](",
  footnotes: "[^a] ",
  "opened footnotes": "[^",
  definitions: "[a]: ",
  code: "`a` ",
  "code that is not closed": "`a``b",
  comments: "a <!-- ",
  instructions: "a <? ",
  "declarations of data": "a <![CDATA[",
  tags: "<b>",
  attributes: "<a b='",
  "automatic links": "<http://a",
  addresses: "http://a ",
  "addresses without scheme": "www.a ",
  "addresses of mail": "a@b.c ",
  "an address with many ends": "www.a.b&a;)?!.",
  entities: "&amp;",
  escapes: "\\*",
  lines: "a\n",
  "broken lines": "a  \n",
  spaces: " ",
  tabs: "\t",
  "quotations in each other": "> ",
  "quoted lines": "> a\n",
  "lists in each other": "- ",
  "ordered lists in each other": "1. ",
  "lists and quotations in each other": "- > ",
  items: "- a\n",
  "items without text": "-\n",
  "items of two lists": "- a\n* b\n",
  tasks: "- [ ] a\n",
  "underlined headings": "a\n=\n",
  headings: "# a\n",
  rules: "---\n",
  fences: "```\n",
  "fences that grow": "```\n````\n`````\n",
  "cells of a row": "|a",
  borders: "|\n",
  "rows that look like heads": "|-\n",
  elements: "<div>\n",
  formulas: "$a$ ",
  "formulas that are not closed": "$$a ",
  "formulas in brackets": "\\(a\\) ",
  "formulas that are opened": "\\[",
  everything: "*_`[<~$|&\\!",
};

const LINE_LENGTH = 4;

/** Creates hostile texts of about a length, by what they are made of. */
export const HOSTILE_MARKDOWN: Readonly<Record<string, (length: number) => string>> = {
  ...Object.fromEntries(
    Object.entries(UNITS).map(([name, unit]) => [name, (length: number) => fill(unit, length)]),
  ),
  "emphasis in each other": (length) => fill("*a **b ", length / 2) + fill("c** d*", length / 2),
  "two long rows of stars": (length) => `${"*".repeat(length / 2)}a${"*".repeat(length / 2)}`,
  "brackets in each other": (length) => `${"[".repeat(length / 2)}a${"]".repeat(length / 2)}`,
  "rows of ticks of different lengths": (length) =>
    Array.from({ length: Math.sqrt(2 * length) }, (_, index) => "`".repeat(index + 1)).join("a"),
  "a quotation with lazy lines": (length) => `${">".repeat(20)}a\n${fill("b\n", length)}`,
  "an item with lazy lines": (length) => `- a\n${fill("b\n", length)}`,
  "lists by their indent": (length) =>
    Array.from({ length: Math.sqrt(length) }, (_, index) => `${"  ".repeat(index)}- a`).join("\n"),
  "items without text by their indent": (length) =>
    Array.from({ length: Math.sqrt(length) }, (_, index) => `${"  ".repeat(index)}-`).join("\n"),
  "short rows of a wide table": (length) => {
    const columns = length / LINE_LENGTH / 2;
    return `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${fill("|b\n", length / 2)}`;
  },
  "a table with marks in its rows": (length) => `|a|b|\n|-|-|\n${fill("|**a**|*b_c_\n", length)}`,
  "what looks like a table in a comment": (length) =>
    `<!--\n\n|a|\n|-|\n|-->\n${fill("|**a*b\n", length)}`,
  "what looks like a table in a paragraph": (length) => `a\n|a|\n|-|\n${fill("|**a*b\n", length)}`,
  "one long formula": (length) => `$$${fill("a+", length)}$$`,
};
