import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, screen } from "storybook/test";
import { Button } from "@/components/ui/button";
import { Popover } from "@/components/ui/popover";

const meta = {
  component: Popover,
  args: { trigger: <Button>Usage</Button>, title: "Context and usage", children: "12.4K / 200K" },
} satisfies Meta<typeof Popover>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Closed: Story = {};
export const Open: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Usage" }));
    await expect(await screen.findByRole("dialog", { name: "Context and usage" })).toBeVisible();
  },
};
