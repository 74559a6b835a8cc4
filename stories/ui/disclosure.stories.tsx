import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Disclosure } from "@/components/ui/disclosure";

const meta = {
  component: Disclosure,
  args: { summary: "Details", children: "What lies under it." },
} satisfies Meta<typeof Disclosure>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Closed: Story = {};
export const Open: Story = { args: { defaultOpen: true } };

export const TestToggle: Story = {
  name: "(Test) Opens and closes, and says so",
  play: async ({ canvas, userEvent }) => {
    const line = canvas.getByRole("button", { name: "Details" });
    await expect(line).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(line);
    await expect(line).toHaveAttribute("aria-expanded", "true");
    await expect(canvas.getByText("What lies under it.")).toBeVisible();
    await userEvent.click(line);
    await expect(canvas.queryByText("What lies under it.")).toBeNull();
  },
};
