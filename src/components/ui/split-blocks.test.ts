import { math } from "@streamdown/math";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TreeNode } from "./markdown-hints";
import { createMarkdownParser } from "./markdown-parser";
import { toSafeTree } from "./safe-tree";
import { createBlockSplitter, splitBlocks } from "./split-blocks";

const TEXT = `# Title

A paragraph
over two lines.

- one
- two

  still two

1. first

   \`\`\`sh
   npm test

   npm run build
   \`\`\`

2. second

\`\`\`ts
const a = 1;

# no title
\`\`\`
Right after it.

| a | b |
| - | - |
| 1 | 2 |

> quote
> goes on

Setext
======

$$
x^2

y
$$

<div>

inner

</div>

<!-- a

remark -->

The end.
`;

const parse = createMarkdownParser({ before: [], after: [math.remarkPlugin] });

/** What a text shows, without the space between blocks. */
const show = (texts: readonly string[]): unknown[] =>
  texts.flatMap((text) => simplify(toSafeTree(parse(text))).children ?? []);

const simplify = ({ tagName, value, properties, children = [] }: TreeNode): Partial<TreeNode> => ({
  ...(tagName !== undefined && { tagName }),
  ...(value !== undefined && { value: value.trimEnd() }),
  ...(properties && { properties }),
  children: children.filter(({ value }) => value !== "\n").map(simplify) as TreeNode[],
});

/** What lines of random texts begin with; most with nothing. */
const INDENTS = ["", "", "", " ", "  ", "   ", "    ", "\t", "> ", "- ", "1. "];
const CONTENTS = [
  "",
  "",
  "",
  ..."a,b **c**,# h,###,- i,* i,-,+\tt,- ```,- - n,-   wide,1. i,2. i,3) i,10. ten".split(","),
  ..."---,***,===,```,```ts,~~~,````,$$,$$x$$,| a |,| - |,> q".split(","),
  ..."<div>,</div>,<!-- r,-->,<pre>,</pre>,<b>,<https://a.b>".split(","),
];

describe("splitting a text into blocks", () => {
  it("cuts between blocks, and nowhere in them", () => {
    expect(splitBlocks(TEXT)).toEqual([
      "# Title\n\n",
      "A paragraph\nover two lines.\n\n",
      "- one\n- two\n\n  still two\n\n1. first\n\n   ```sh\n   npm test\n\n   npm run build\n   ```\n\n2. second\n\n",
      "```ts\nconst a = 1;\n\n# no title\n```\n",
      "Right after it.\n\n",
      "| a | b |\n| - | - |\n| 1 | 2 |\n\n",
      "> quote\n> goes on\n\n",
      "Setext\n======\n\n",
      "$$\nx^2\n\ny\n$$\n\n",
      "<div>\n\n",
      "inner\n\n",
      "</div>\n\n",
      "<!-- a\n\nremark -->\n\n",
      "The end.\n",
    ]);
  });

  it.each([
    "Notes[^1] and\n\nmore.\n\n[^1]: Here.",
    "A [link][a] and\n\nmore.\n\n[a]: https://example.com",
    "A [link] and\n\n> [link]: https://example.com",
  ])("keeps a text whole whose parts refer to each other: %j", (text) => {
    expect(splitBlocks(text)).toEqual([text]);
  });

  it.each([
    ["spaces", `${" ".repeat(1_000_000)}x`],
    ["tabs", `${"\t".repeat(100_000)}x`],
    ["brackets", "[\n".repeat(300_000)],
    ["items", `${"- ".repeat(300_000)}x`],
    ["marks of a break", `${"* ".repeat(300_000)}x`],
  ])("reads many %s in time that grows with their number", (_name, text) => {
    expect(splitBlocks(text).join("")).toBe(text);
  });

  it("shows each text as the parser shows it whole", () => {
    const line = fc.tuple(fc.constantFrom(...INDENTS), fc.constantFrom(...CONTENTS));
    const texts = fc.array(line, { maxLength: 14 });
    fc.assert(
      fc.property(texts, (lines) => {
        const text = lines.map(([indent, content]) => indent + content).join("\n");
        const blocks = splitBlocks(text);
        expect(blocks.join("")).toBe(text);
        expect(show(blocks)).toEqual(show([text]));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("splitting a growing text", () => {
  it("makes the same blocks as of the whole text", () => {
    const split = createBlockSplitter();
    for (let length = 1; length <= TEXT.length; length++) {
      const text = TEXT.slice(0, length);
      expect(split(text)).toEqual(splitBlocks(text));
    }
  });

  it("begins anew where a text does not continue the one before, and where its parts refer to each other", () => {
    const split = createBlockSplitter();
    split(TEXT);
    const other = "Another text.\n\nWith two blocks.";
    expect(split(other)).toEqual(["Another text.\n\n", "With two blocks."]);
    split(TEXT);
    const noted = `${TEXT}A note[^1].\n\n[^1]: Here.`;
    expect(split(noted)).toEqual([noted]);
    expect(split(TEXT)).toEqual(splitBlocks(TEXT));
  });
});
