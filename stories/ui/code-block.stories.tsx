import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, waitFor } from "storybook/test";
import { CodeBlock } from "@/components/ui/code-block";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const CODE = `// Twelfths of the range that the tide has risen by each hour.
export const depthAt = (hour: number, low: number, range: number): number => low + (range * (RISEN[hour] ?? 12)) / 12;`;

const meta = {
  component: CodeBlock,
  args: { code: CODE, language: "ts", isIncomplete: false },
} satisfies Meta<typeof CodeBlock>;
export default meta;
type Story = StoryObj<typeof meta>;

const findColors = (root: HTMLElement): Set<string> =>
  new Set([...root.querySelectorAll("pre code span")].map((span) => getComputedStyle(span).color));

const highlighted: Story = {
  play: async ({ canvasElement }) => {
    await waitFor(() => expect(findColors(canvasElement).size).toBeGreaterThan(1));
  },
};

export const States: Story = showStates(meta, {
  Highlighted: highlighted,
  "Without language": { args: { language: "" } },
  "Code in an unknown language stays readable": {
    args: { language: "tidal" },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Code in tidal" })).toHaveTextContent(
        "depthAt",
      );
    },
  },
  "An unfinished block has a single color": {
    args: { isIncomplete: true },
    play: async ({ canvasElement }) => {
      await expect(findColors(canvasElement).size).toBe(0);
    },
  },
  "Colors change nothing of the text": {
    play: async (context) => {
      const { canvas } = context;
      await highlighted.play?.(context);
      const text = canvas.getByRole("group", { name: "Code in ts" }).textContent;
      await expect(text).toBe(CODE);
    },
  },
});

export const TestWrap: Story = {
  name: "(Test) Long lines scroll until they are wrapped",
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, userEvent }) => {
    const block = canvas.getByRole("group", { name: "Code in ts" });
    await expect(block.scrollWidth).toBeGreaterThan(block.clientWidth);
    await userEvent.click(canvas.getByRole("button", { name: "Wrap lines", pressed: false }));
    await expect(block.scrollWidth).toBeLessThanOrEqual(block.clientWidth);
    await expect(canvas.getByRole("button", { name: "Wrap lines", pressed: true })).toBeVisible();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Give the language after the fence, so that the code has colors.",
        example: <CodeBlock code={'{ "berth": 12 }'} language="json" isIncomplete={false} />,
      },
    ],
    donts: [
      {
        text: "Do not put a sentence into a block of code.",
        example: (
          <CodeBlock code="High water at Oban is at 08:52." language="" isIncomplete={false} />
        ),
      },
    ],
  }),
};
