import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Badge } from "@/components/ui/badge";
import { showRules } from "../show-rules";
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

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Mark the one row of a list that differs, with one or two words.",
        example: (
          <span className="flex items-center gap-2">
            GPT-5 mini <Badge tone="accent" text="Default" />
          </span>
        ),
      },
    ],
    donts: [
      {
        text: "Do not put a sentence into a badge: it does not wrap.",
        example: <Badge text="New chats use this one by default" />,
      },
      {
        text: "Do not give each row a badge: what all have marks nothing.",
        example: (
          <span className="flex gap-2">
            <Badge text="Model" />
            <Badge text="Model" />
            <Badge text="Model" />
          </span>
        ),
      },
    ],
  }),
};
