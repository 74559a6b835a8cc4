import { parseMarkdownIntoBlocks } from "streamdown";
import { expect, it } from "vitest";
import { createBlockParser } from "./block-parser";

const TEXT = `# Title

A paragraph
over two lines.

- one
- two

  still two

1. first

2. second

\`\`\`ts
const a = 1;

# no title
\`\`\`

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

The end.
`;

it("parses a growing text into the same blocks as the whole text", () => {
  const parse = createBlockParser();
  for (let length = 1; length <= TEXT.length; length++) {
    const text = TEXT.slice(0, length);
    expect(parse(text)).toEqual(parseMarkdownIntoBlocks(text));
  }
});

it("parses anew what does not continue the text before, and a text with footnotes", () => {
  const parse = createBlockParser();
  parse(TEXT);
  const other = "Another text.\n\nWith two blocks.";
  expect(parse(other)).toEqual(parseMarkdownIntoBlocks(other));
  const noted = `${TEXT}A note[^1].\n\n[^1]: Here.`;
  parse(TEXT);
  expect(parse(noted)).toEqual(parseMarkdownIntoBlocks(noted));
  expect(parse(TEXT)).toEqual(parseMarkdownIntoBlocks(TEXT));
});
