import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ApprovalBatch } from "@/components/approvals/approval-batch";
import { showStates } from "../show-states";

const approval = (id: string) => ({
  tool_call_id: id,
  tool_name: "exec",
  args: { command: "npm test" },
  approval_scope: null,
});

const meta = {
  component: ApprovalBatch,
  args: { approvals: [approval("a1"), approval("a2")], onDecide: fn(), isDeciding: false },
} satisfies Meta<typeof ApprovalBatch>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Awaiting approval": {},
  Deciding: { args: { isDeciding: true } },
});

export const TestApproveAll: Story = {
  name: "(Test) All calls are approved together",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Approve all 2" }));
    await expect(args.onDecide).toHaveBeenCalledWith([
      { tool_call_id: "a1", decision: "approve" },
      { tool_call_id: "a2", decision: "approve" },
    ]);
  },
};

export const TestRejectAll: Story = {
  name: "(Test) One click rejects all calls",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Reject all 2" }));
    await expect(args.onDecide).toHaveBeenCalledWith([
      { tool_call_id: "a1", decision: "reject" },
      { tool_call_id: "a2", decision: "reject" },
    ]);
  },
};

export const TestRejectAllWithReason: Story = {
  name: "(Test) All calls are rejected with one reason",
  play: async ({ args, canvas, userEvent }) => {
    const open = "Reject all with a reason…";
    await userEvent.click(canvas.getByRole("button", { name: open }));
    await userEvent.click(canvas.getByRole("button", { name: "Back" }));
    await expect(canvas.getByRole("button", { name: open })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await userEvent.keyboard("Not now");
    await userEvent.click(canvas.getByRole("button", { name: "Reject all 2" }));
    await expect(args.onDecide).toHaveBeenCalledWith([
      { tool_call_id: "a1", decision: "reject", reason: "Not now" },
      { tool_call_id: "a2", decision: "reject", reason: "Not now" },
    ]);
  },
};
