import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { WebLink } from "@/components/tool-cards/web-link";
import { showStates } from "../show-states";

const meta = {
  component: WebLink,
  args: { url: "https://example.org/tides", title: "Tides of the North Sea" },
} satisfies Meta<typeof WebLink>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "With title": {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("link")).toHaveAttribute("href", "https://example.org/tides");
      await expect(canvas.getByText("example.org")).toBeVisible();
    },
  },
  "Without title": { args: { title: undefined } },
  "A URL that could run a script is no link": {
    args: { url: "javascript:alert(1)" },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("link")).toBeNull();
    },
  },
});
