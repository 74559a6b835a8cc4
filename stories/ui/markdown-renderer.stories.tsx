import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import MarkdownRenderer from "@/components/ui/markdown-renderer";
import { showStates } from "../show-states";

const meta = {
  component: MarkdownRenderer,
  args: { text: "The **moon** pulls *harder* than the sun.", isStreaming: false },
} satisfies Meta<typeof MarkdownRenderer>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Text: {},
  "A mark that is not closed yet is not shown as text": {
    args: { text: "The **moon** pulls *har", isStreaming: true },
    play: async ({ canvas, canvasElement }) => {
      await expect(await canvas.findByText("har")).toBeVisible();
      await expect(canvasElement).not.toHaveTextContent("*");
    },
  },
  Formula: { args: { text: "The share is \\(\\frac{n}{12}\\)." } },
  Empty: { args: { text: "" } },
  "Marks become elements": {
    play: async ({ canvas }) => {
      await expect((await canvas.findByText("moon")).getAttribute("data-streamdown")).toBe(
        "strong",
      );
      await expect(canvas.queryByText(/\*/)).toBeNull();
    },
  },
  "Scripts and images of a text do nothing": {
    args: { text: '[run](javascript:alert(1)) ![pixel](https://example.com/p.png) <img src="x">' },
    play: async ({ canvas, canvasElement }) => {
      await expect(await canvas.findByRole("link", { name: "pixel" })).toBeVisible();
      await expect(canvas.queryByRole("link", { name: "run" })).toBeNull();
      await expect(canvasElement.querySelector("img")).toBeNull();
    },
  },
});
