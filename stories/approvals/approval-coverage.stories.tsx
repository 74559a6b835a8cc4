import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ApprovalCoverage } from "@/components/approvals/approval-coverage";
import { showStates } from "../show-states";

const meta = {
  component: ApprovalCoverage,
  args: {
    approval: {
      tool_call_id: "a1",
      tool_name: "exec",
      args: { command: "npm test", timeout: 120 },
      approval_scope: { command: "npm test" },
    },
    onApprove: fn(),
    onBack: fn(),
    isDeciding: false,
  },
} satisfies Meta<typeof ApprovalCoverage>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "One command": {},
  "Every call": {
    args: {
      approval: {
        tool_call_id: "a1",
        tool_name: "write_file",
        args: { path: "a.txt" },
        approval_scope: null,
      },
    },
  },
  Deciding: { args: { isDeciding: true } },
});

export const TestKeyboard: Story = {
  name: "(Test) Enter approves, and Back is the next stop",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("button", { name: "Approve always" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onApprove).toHaveBeenCalledOnce();
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    await expect(args.onBack).toHaveBeenCalledOnce();
  },
};
