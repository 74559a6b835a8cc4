import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { WebLink } from "@/components/tool-cards/web-link";

const meta = {
  component: WebLink,
  args: { url: "https://example.org/tides", title: "Tides of the North Sea" },
} satisfies Meta<typeof WebLink>;
export default meta;
type Story = StoryObj<typeof meta>;

export const WithTitle: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("link")).toHaveAttribute("href", "https://example.org/tides");
    await expect(canvas.getByText("example.org")).toBeVisible();
  },
};
export const WithoutTitle: Story = { args: { title: undefined } };

export const TestUnsafe: Story = {
  name: "(Test) A URL that could run a script is no link",
  args: { url: "javascript:alert(1)" },
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole("link")).toBeNull();
  },
};
