import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, screen } from "storybook/test";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";
import { showRules } from "../show-rules";

const meta = {
  component: Tooltip,
  args: { text: "Sends the message", children: <Button>Send</Button> },
} satisfies Meta<typeof Tooltip>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Hidden: Story = {};
export const Shown: Story = {
  play: async ({ userEvent }) => {
    await userEvent.tab();
    await expect(await screen.findByText("Sends the message")).toBeVisible();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [{ text: "Repeat in words what an icon means." }],
    donts: [{ text: "Do not put what is needed into it: touch screens do not show it." }],
  }),
};
