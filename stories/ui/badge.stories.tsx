import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Badge } from "@/components/ui/badge";
import { showStates } from "../show-states";

const meta = { component: Badge, args: { text: "Chat" } } satisfies Meta<typeof Badge>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Neutral: {},
  Accent: { args: { tone: "accent", text: "This browser" } },
  Danger: { args: { tone: "danger", text: "Expired" } },
});

export const Dark: Story = {
  render: () => (
    <div data-theme="dark" className="flex gap-2 p-3">
      <Badge text="Chat" />
      <Badge tone="accent" text="This browser" />
      <Badge tone="danger" text="Expired" />
    </div>
  ),
};

export const TestOneLine: Story = {
  name: "(Test) The text stays in one line",
  args: { text: "This browser" },
  render: (args) => (
    <div className="w-8">
      <Badge {...args} />
    </div>
  ),
  play: async ({ canvas }) => {
    const badge = canvas.getByText("This browser");
    await expect(badge.getBoundingClientRect().height).toBeLessThan(30);
    await expect(badge.getBoundingClientRect().width).toBeGreaterThan(32);
  },
};
