import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { useState } from "react";
import { expect, waitFor } from "storybook/test";
import { Markdown } from "@/components/ui/markdown";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

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

/** Everything that an answer may hold, in a width that is too narrow for some of it. */
const EVERYTHING = `# Plan

${ARTICLE}

## Tasks

- [x] measure the depth
- [ ] sail
  - a detail

## מה השעה

שלום, זה טקסט בעברית עם English.

The share is \\(\\frac{n}{12}\\), and in full:

$$
d(t) = l + r \\cdot \\sin^2\\left(\\frac{\\pi t}{12}\\right)
$$

| A long word | Description |
| --- | --- |
| Donaudampfschifffahrtsgesellschaft | The words of a cell stay whole, and the table scrolls. |
`;

const findColors = (root: HTMLElement): Set<string> =>
  new Set([...root.querySelectorAll("pre code span")].map((span) => getComputedStyle(span).color));

export const States: Story = showStates(meta, {
  Article: {},
  Everything: {
    args: { text: EVERYTHING },
    play: async ({ canvas, canvasElement }) => {
      await canvas.findByRole("heading", { level: 2, name: "Plan" });
      await waitFor(() => expect(canvasElement.querySelectorAll("math")).toHaveLength(2));
      await waitFor(() => expect(findColors(canvasElement).size).toBeGreaterThan(1));
    },
  },
  "Text without markup is paragraphs at once": {
    args: { text: "The sun is highest at noon.\n\nIt sets in the west." },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("It sets in the west.").tagName).toBe("P");
    },
  },
  Streaming: { args: { text: "The **moon** pulls *har", isStreaming: true } },
  "An unfinished code block has a single color": {
    args: { text: UNFINISHED_CODE_BLOCK, isStreaming: true },
    play: async ({ canvas, canvasElement }) => {
      await canvas.findByRole("group", { name: "Code in ts" });
      await expect(canvas.getByText(/const half/)).toBeVisible();
      await expect(findColors(canvasElement).size).toBe(0);
    },
  },
  "HTML is shown as text": {
    args: { text: 'Before <img src=x onerror="alert(1)"> <b>bold</b> after' },
    play: async ({ canvas, canvasElement }) => {
      await expect(await canvas.findByText(/<b>bold<\/b>/)).toBeVisible();
      await expect(canvasElement.querySelector("img, b")).toBeNull();
    },
  },
  "Unsafe links": {
    args: { text: "[run](javascript:alert(1)) and ![pixel](https://tracker.example/p.png)" },
  },
  "A closed code block is highlighted": {
    play: async ({ canvasElement }) => {
      await waitFor(() => expect(findColors(canvasElement).size).toBeGreaterThan(1));
    },
  },
  "Links are safe, scripts are removed and images become links": {
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
  },
  "Headings start at the second level": {
    args: { text: "### First\n\n#### Second\n\n# Third\n\n```md\n# no heading\n```" },
    play: async ({ canvas }) => {
      await canvas.findByRole("heading", { level: 2, name: "First" });
      await expect(canvas.getByRole("heading", { level: 3, name: "Second" })).toBeVisible();
      await expect(canvas.getByRole("heading", { level: 2, name: "Third" })).toBeVisible();
      await expect(canvas.getAllByRole("heading")).toHaveLength(3);
    },
  },
  "Tasks have labels and no bullets": {
    args: { text: "- [x] measure\n- [ ] sail\n  - north\n- other" },
    play: async ({ canvas }) => {
      const box = await canvas.findByRole("checkbox", { name: "measure" });
      await expect(box).toBeChecked();
      await expect(canvas.getByRole("checkbox", { name: "sail" })).not.toBeChecked();
      const [first] = canvas.getAllByRole("listitem");
      await expect(first && getComputedStyle(first).listStyleType).toBe("none");
    },
  },
  "Each block has the direction of its letters": {
    args: { text: "# שלום\n\n- אחת\n\nplain **text**" },
    play: async ({ canvas }) => {
      const heading = await canvas.findByRole("heading", { name: "שלום" });
      await expect(getComputedStyle(heading).direction).toBe("rtl");
      await expect(getComputedStyle(canvas.getByRole("list")).direction).toBe("rtl");
      await expect(getComputedStyle(canvas.getByText("plain")).direction).toBe("ltr");
    },
  },
  "Formulas are MathML, and prices stay text": {
    args: { text: "The share is \\(\\frac{n}{12}\\) of $5 to $10." },
    play: async ({ canvas, canvasElement }) => {
      await waitFor(() => expect(canvasElement.querySelectorAll("mfrac")).toHaveLength(1));
      await expect(canvas.getByText(/of \$5 to \$10/)).toBeVisible();
    },
  },
});

export const TestStillColors: Story = {
  name: "(Test) The colors of a finished block do not change while more follows",
  args: { isStreaming: true, text: "Text\n\n```ts\nconst depth = 4;\n```\n\nmore" },
  render: ({ text }) => <Growing text={text} />,
  play: async ({ canvas, canvasElement, userEvent }) => {
    await waitFor(() => expect(findColors(canvasElement).size).toBeGreaterThan(1));
    const token = canvas.getByText("const", { exact: true });
    const color = getComputedStyle(token).color;
    for (const name of ["More", "More", "End"]) {
      await userEvent.click(canvas.getByRole("button", { name }));
      // The same element: it was never removed, so it could not lose its color in between.
      await expect(canvas.getByText("const", { exact: true })).toBe(token);
      await expect(getComputedStyle(token).color).toBe(color);
    }
  },
};

/** A text that grows and ends by buttons. */
const Growing = ({ text }: { text: string }) => {
  const [more, setMore] = useState("");
  const [isStreaming, setStreaming] = useState(true);
  return (
    <div>
      <button onClick={() => setMore(`${more} and **more** \n\n- one`)}>More</button>
      <button onClick={() => setStreaming(false)}>End</button>
      <Markdown text={text + more} isStreaming={isStreaming} />
    </div>
  );
};

/** How much longer the text is after each click. */
const GROWTH = 40;

/** Clicks add one item of a list after the other, and the last of them ends the text. */
const Dripping = () => {
  const [count, setCount] = useState(0);
  return (
    <div>
      <button onClick={() => setCount(count + 1)}>Drip</button>
      <Markdown
        text={Array.from({ length: count }, (_, index) => `- **item** ${index + 1}`).join("\n")}
        isStreaming={count < GROWTH}
      />
    </div>
  );
};

export const TestPace: Story = {
  name: "(Test) A growing text changes at most ten times a second, and ends whole",
  render: () => <Dripping />,
  play: async ({ canvas, canvasElement }) => {
    const button = canvas.getByRole("button", { name: "Drip" });
    const countItems = () => canvasElement.querySelectorAll("li").length;
    button.click();
    await waitFor(() => expect(countItems()).toBe(1));
    const shownCounts = new Set<number>();
    const observer = new MutationObserver(() => shownCounts.add(countItems()));
    observer.observe(canvasElement, { childList: true, subtree: true });
    const startedAt = performance.now();
    for (let count = 2; count < GROWTH; count += 1) {
      button.click();
      await new Promise(requestAnimationFrame);
    }
    const tenths = (performance.now() - startedAt) / 100;
    await expect(shownCounts.size).toBeLessThanOrEqual(tenths + 1);
    observer.disconnect();
    button.click();
    await waitFor(() => expect(canvasElement.querySelectorAll("li")).toHaveLength(GROWTH));
  },
};

export const TestTable: Story = {
  name: "(Test) A table scrolls instead of breaking words",
  args: {
    text: "| Aa | Bb |\n| --- | --- |\n| Donaudampfschifffahrtsgesellschaft | Kapitänskajütenschlüsselbund |",
  },
  decorators: [(Story) => <div style={{ width: 240 }}>{Story()}</div>],
  play: async ({ canvas }) => {
    const area = await canvas.findByRole("group", { name: "Table" });
    await expect(area.scrollWidth).toBeGreaterThan(area.clientWidth);
    await expect(area.clientWidth).toBeLessThanOrEqual(240);
    const cell = canvas.getByRole("cell", { name: /Donau/ });
    const range = document.createRange();
    range.selectNodeContents(cell);
    await expect(range.getClientRects()).toHaveLength(1);
  },
};

export const TestCodeControls: Story = {
  name: "(Test) A code block takes the focus, wraps and copies",
  args: { text: `\`\`\`ts\nconst line = "${"long ".repeat(60)}";\n\`\`\`` },
  decorators: [(Story) => <div style={{ width: 320 }}>{Story()}</div>],
  play: async ({ canvas, userEvent }) => {
    const block = await canvas.findByRole("group", { name: "Code in ts" });
    await expect(block.scrollWidth).toBeGreaterThan(block.clientWidth);
    const wrap = canvas.getByRole("button", { name: "Wrap lines", pressed: false });
    await expect(canvas.getByRole("button", { name: "Copy code" })).toBeVisible();
    wrap.focus();
    await userEvent.keyboard("{Enter}");
    await expect(canvas.getByRole("button", { name: "Wrap lines", pressed: true })).toBeVisible();
    await expect(block.scrollWidth).toBe(block.clientWidth);
    await userEvent.tab();
    await userEvent.tab();
    await expect(block).toHaveFocus();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Use it for what models and people write; it shows HTML as text.",
        example: <Markdown text="The window is **09:40 to 12:10**." isStreaming={false} />,
      },
    ],
    donts: [{ text: "Do not use it for texts of the product: those are elements." }],
  }),
};
