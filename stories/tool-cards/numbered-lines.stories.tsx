import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { NumberedLines } from "@/components/tool-cards/numbered-lines";
import { showStates } from "../show-states";

const meta = {
  component: NumberedLines,
  args: {
    label: "depth.ts",
    lines: [
      { number: 9, text: "export const depthAt = (hour: number) => {" },
      { number: 10, text: "  return hour / 12;" },
      { number: 11, text: "};" },
    ],
  },
} satisfies Meta<typeof NumberedLines>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Lines: {},
  /** The numbers stay while the text scrolls. */
  "Long lines": {
    args: {
      lines: [
        { number: 1, text: "a very long line ".repeat(40) },
        { number: 2, text: "" },
      ],
    },
  },
  "Each line has its number": {
    args: {
      lines: Array.from({ length: 300 }, (_, index) => ({
        number: index + 1,
        text: index % 3 === 0 ? "" : `line ${index + 1}`,
      })),
    },
    play: async ({ canvas }) => {
      const area = canvas.getByRole("group", { name: "depth.ts" });
      const [numbers, texts] = area.querySelectorAll("pre");
      await expect(numbers?.offsetHeight).toBe(texts?.offsetHeight);
      await expect(numbers?.offsetHeight).toBeGreaterThanOrEqual(300 * 20);
    },
  },
});
