import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ApprovalPattern } from "@/components/approvals/approval-pattern";
import { showStates } from "../show-states";

const meta = {
  component: ApprovalPattern,
  args: { command: "npm run build", onApprove: fn(), onBack: fn(), isDeciding: false },
} satisfies Meta<typeof ApprovalPattern>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Offered: {
    play: ({ canvas }) =>
      expect(canvas.getByRole("textbox", { name: "Commands" })).toHaveValue("npm run *"),
  },
  "Exact command": {
    args: { command: "npm test" },
    play: ({ canvas }) =>
      expect(canvas.getByRole("textbox", { name: "Commands" })).toHaveValue("npm test"),
  },
  Deciding: { args: { isDeciding: true } },
});

export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async () => {
    await expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
  },
};

export const TestChat: Story = {
  name: "(Test) The offered pattern is approved for the chat, with the keyboard",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("textbox", { name: "Commands" })).toHaveFocus();
    await userEvent.tab();
    await expect(canvas.getByRole("radio", { name: "In this chat" })).toHaveFocus();
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    await expect(args.onApprove).toHaveBeenCalledWith({ scope: "chat", pattern: "npm run *" });
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    await expect(args.onBack).toHaveBeenCalledOnce();
  },
};

export const TestChanged: Story = {
  name: "(Test) A changed pattern must match the command, and may be for all chats",
  play: async ({ args, canvas, userEvent }) => {
    const field = canvas.getByRole("textbox", { name: "Commands" });
    const approve = canvas.getByRole("button", { name: "Approve always" });
    for (const [pattern, mistake] of [
      ["*", "must begin with the words of a command"],
      ["npm * build", "* can only be the last word"],
      ["npm test *", "does not match this command"],
    ] as const) {
      await userEvent.clear(field);
      await userEvent.type(field, pattern);
      await expect(field).toHaveAccessibleDescription(expect.stringContaining(mistake));
      await expect(approve).toBeDisabled();
    }
    await userEvent.clear(field);
    await userEvent.type(field, " npm * ");
    await userEvent.click(canvas.getByRole("radio", { name: "In all my chats" }));
    await userEvent.click(approve);
    await expect(args.onApprove).toHaveBeenCalledWith({ scope: "tool", pattern: "npm *" });
  },
};
