import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ClaimedCalls, type ClaimedCallView } from "@/components/answers/claimed-calls";
import type { CallClaim } from "@/contract/call";
import { toOpenCall } from "@/test/to-open-call";
import { showStates } from "../show-states";

const claimedCall = (tool_name: string, claim: Partial<CallClaim> = {}): ClaimedCallView => ({
  ...toOpenCall({ tool_call_id: `call-${tool_name}`, tool_name, args: {} }),
  claim: {
    holder: "runner-7",
    claimed_at: "2026-11-21T12:03:00Z",
    expires_at: "2026-11-21T12:04:00Z",
    ...claim,
  },
});

const meta = {
  component: ClaimedCalls,
  args: { calls: [claimedCall("restart_server")], onAnswer: fn(), isDisabled: false },
  decorators: [(Story) => <div className="rounded-xl border bg-raised">{Story()}</div>],
} satisfies Meta<typeof ClaimedCalls>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  One: {},
  Several: {
    args: {
      calls: [claimedCall("restart_server"), claimedCall("get_oncall", { holder: "bot-2" })],
    },
  },
  "With progress": {
    args: {
      calls: [
        claimedCall("copy_files", {
          progress: { message: "Copying 1,204 of 3,010 files", percent: 40 },
        }),
        claimedCall("ask_colleague", { progress: { message: "Waiting for Ada in #support" } }),
      ],
    },
  },
  "Long texts": {
    args: {
      calls: [
        claimedCall("reindex_the_whole_archive_of_all_customers", {
          holder: "runner-with-a-very-long-name-in-some-region-eu-central-1a-0123456789abcdef",
          progress: { message: "x".repeat(500), percent: 99 },
        }),
      ],
    },
  },
  Disabled: { args: { isDisabled: true } },
});

export const TestAnswer: Story = {
  name: "(Test) A person may answer a call that a program works on",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Answer it myself" }));
    await expect(args.onAnswer).toHaveBeenCalledWith("call-restart_server");
  },
};
