import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { showRules } from "../show-rules";

const meta = {
  component: Drawer,
  args: { open: true, onOpenChange: fn(), title: "Chats", children: <Button>New chat</Button> },
} satisfies Meta<typeof Drawer>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Open: Story = {};

export const TestEscape: Story = {
  name: "(Test) Escape requests closing",
  play: async ({ args, userEvent }) => {
    await screen.findByRole("dialog", { name: "Chats" });
    await userEvent.keyboard("{Escape}");
    await expect(args.onOpenChange).toHaveBeenCalledWith(false);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      { text: "Use the left one for the list of chats on a phone, and the right one for a form." },
    ],
    donts: [{ text: "Do not open a drawer from a drawer: ask in a dialog." }],
  }),
};
