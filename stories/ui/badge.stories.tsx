import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Badge } from "@/components/ui/badge";

const meta = {
  component: Badge,
  args: { tone: "neutral", children: "draft" },
} satisfies Meta<typeof Badge>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Neutral: Story = {};
export const Accent: Story = { args: { tone: "accent", children: "default" } };
export const Success: Story = { args: { tone: "success", children: "on" } };
export const Warning: Story = { args: { tone: "warning", children: "expiring" } };
export const Danger: Story = { args: { tone: "danger", children: "revoked" } };

export const TestAccessibleText: Story = {
  name: "(Test) The text is part of the heading's accessible name",
  ...Danger,
  render: (args) => (
    <h2>
      Laptop <Badge {...args} />
    </h2>
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("heading", { name: "Laptop revoked" })).toBeVisible();
  },
};

export const TestNoWrap: Story = {
  name: "(Test) The text stays on one line next to a truncated name",
  args: { children: "expires tomorrow" },
  render: (args) => (
    <p className="flex w-52 gap-2">
      <span className="truncate">A name that is too long for its row</span>
      <Badge {...args} />
    </p>
  ),
  play: async ({ canvas }) => {
    const badge = canvas.getByText("expires tomorrow");
    const row = canvas.getByRole("paragraph");
    await expect(badge.scrollWidth).toBeLessThanOrEqual(badge.clientWidth);
    await expect(badge.scrollHeight).toBeLessThanOrEqual(badge.clientHeight);
    await expect(row.scrollWidth).toBeLessThanOrEqual(row.clientWidth);
  },
};
