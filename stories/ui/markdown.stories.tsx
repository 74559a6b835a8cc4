import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, waitFor } from "storybook/test";
import { Markdown } from "@/components/ui/markdown";

const ARTICLE = `## Reading the tide

Tides follow the **moon** more than the sun; see [the almanac](https://example.com/almanac).

1. Find *high water* in the table.
2. Count the hours from it.
   - Springs run stronger.
   - Neaps run weaker.

> Rule of twelfths: an estimate, not a promise.

| Hour | Share | Depth |
| ---: | :---: | ----- |
| 1 | 1/12 | 0.4 m |
| 2 | 2/12 | 1.2 m |

Use \`depthAt(hour)\` for the rest:

\`\`\`ts
// Twelfths of the range that the tide has risen by each hour.
const RISEN = [0, 1, 3, 6, 9, 11, 12] as const;

export const depthAt = (hour: number, low: number, range: number): number =>
  low + (range * (RISEN[hour] ?? 12)) / 12;
\`\`\`
`;

const UNFINISHED_CODE_BLOCK = "Here it comes:\n\n```ts\nconst depth = 4;\nconst half";

const meta = {
  component: Markdown,
  args: { text: ARTICLE, isStreaming: false },
} satisfies Meta<typeof Markdown>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Article: Story = {};
export const Streaming: Story = { args: { text: "The **moon** pulls *har", isStreaming: true } };
export const UnfinishedCodeBlock: Story = {
  args: { text: UNFINISHED_CODE_BLOCK, isStreaming: true },
};
export const RawHtml: Story = {
  args: { text: 'Before <img src=x onerror="alert(1)"> <b>bold</b> after' },
};
export const UnsafeLinks: Story = {
  args: { text: "[run](javascript:alert(1)) and ![pixel](https://tracker.example/p.png)" },
};

const findColors = (root: HTMLElement): Set<string> =>
  new Set([...root.querySelectorAll("pre code span")].map((span) => getComputedStyle(span).color));

export const TestClosedCodeBlock: Story = {
  name: "(Test) A closed code block is highlighted",
  play: async ({ canvasElement }) => {
    await waitFor(() => expect(findColors(canvasElement).size).toBeGreaterThan(1), {
      timeout: 15_000,
    });
  },
};

export const TestUnfinishedCodeBlock: Story = {
  name: "(Test) An unfinished code block has a single color",
  ...UnfinishedCodeBlock,
  play: async ({ canvas, canvasElement }) => {
    await canvas.findByText(/const half/);
    await expect(findColors(canvasElement).size).toBe(1);
  },
};

export const TestNoHtml: Story = {
  name: "(Test) HTML is shown as text",
  ...RawHtml,
  play: async ({ canvas, canvasElement }) => {
    await expect(await canvas.findByText(/<b>bold<\/b>/)).toBeVisible();
    await expect(canvasElement.querySelector("img, b")).toBeNull();
  },
};

export const TestLinks: Story = {
  name: "(Test) Links are safe, scripts are removed and images become links",
  args: {
    text: "[almanac](https://example.com/a) [run](javascript:alert(1)) ![pixel](https://tracker.example/p.png)",
  },
  play: async ({ canvas, canvasElement }) => {
    const link = await canvas.findByRole("link", { name: "almanac" });
    await expect(link).toHaveAttribute("rel", "noopener noreferrer");
    await expect(canvas.queryByRole("link", { name: "run" })).toBeNull();
    await expect(canvasElement.querySelector("img")).toBeNull();
    await expect(canvas.getByRole("link", { name: "pixel" })).toBeVisible();
  },
};
