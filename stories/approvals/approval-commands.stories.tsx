import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ApprovalCommands } from "@/components/approvals/approval-commands";
import { showStates } from "../show-states";

const meta = {
  component: ApprovalCommands,
  args: { scope: { commands: [["rm", "--", "a b", "it's"]] } },
} satisfies Meta<typeof ApprovalCommands>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  One: {},
  Several: {
    args: {
      scope: {
        commands: [
          ["git", "fetch"],
          ["git", "merge", "--ff-only", "origin/main"],
        ],
      },
    },
  },
  "Characters that reorder a text are shown by their codes": {
    args: { scope: { commands: [["echo", "a\u202eb"]] } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Commands" })).not.toHaveTextContent("\u202e");
    },
  },
});
