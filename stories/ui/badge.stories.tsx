import type { Meta, StoryObj } from "@storybook/nextjs-vite";
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
