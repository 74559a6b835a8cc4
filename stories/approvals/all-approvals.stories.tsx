import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { AllApprovals } from "@/components/approvals/all-approvals";
import { showStates } from "../show-states";

const READER = "0198c0de-0000-7000-8000-000000000001";
const RUNNER = "0198c0de-0000-7000-8000-000000000002";

const meta = {
  component: AllApprovals,
  args: {
    approvals: [
      { tool_call_id: "a1", chat_id: READER },
      { tool_call_id: "a1", chat_id: RUNNER },
      { tool_call_id: "a2", chat_id: RUNNER },
    ],
    onDecide: fn(),
    isDeciding: false,
  },
} satisfies Meta<typeof AllApprovals>;
export default meta;
type Story = StoryObj<typeof meta>;

const withOwn: Story = {
  args: { approvals: [{ tool_call_id: "a1" }, { tool_call_id: "a1", chat_id: READER }] },
};

export const States: Story = showStates(meta, {
  "Of agents": {
    play: ({ canvas }) =>
      expect(canvas.getByText("3 calls of 2 agents need approval")).toBeVisible(),
  },
  "Of the chat and an agent": {
    ...withOwn,
    play: ({ canvas }) =>
      expect(canvas.getByText("2 calls of this chat and 1 agent need approval")).toBeVisible(),
  },
  Deciding: { args: { isDeciding: true } },
  Failed: {
    args: {
      problem: {
        type: "/problems/conflict",
        code: "conflict",
        title: "Conflict",
        status: 409,
        request_id: "req_1",
        detail: "Nothing was changed. The chat waits for nothing any more.",
      },
    },
  },
});

export const TestApproveAll: Story = {
  ...withOwn,
  name: "(Test) The calls of agents are approved with their chats, those of the chat without",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Approve all 2" }));
    await expect(args.onDecide).toHaveBeenCalledWith([
      { tool_call_id: "a1", decision: "approve" },
      { tool_call_id: "a1", chat_id: READER, decision: "approve" },
    ]);
  },
};
