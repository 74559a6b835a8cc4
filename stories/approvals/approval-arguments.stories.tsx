import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ApprovalArguments } from "@/components/approvals/approval-arguments";
import { showStates } from "../show-states";

const meta = { component: ApprovalArguments } satisfies Meta<typeof ApprovalArguments>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Command: {
    args: {
      toolName: "exec",
      args: { command: "npm test", cwd: "web", env: { CI: "1" }, timeout: 120 },
    },
  },
  "Command in the workspace": { args: { toolName: "exec", args: { command: "ls -la" } } },
  "Other tool": {
    args: { toolName: "write_file", args: { path: "notes.md", content: "# Notes" } },
  },
  "Characters that are invisible are shown by their codes": {
    args: { toolName: "write_file", args: { path: "gpj\u202Eexe.sh" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/gpj\\u\{202e\}exe\.sh/)).toBeVisible();
    },
  },
  "A command that is no text is shown as arguments": {
    args: { toolName: "exec", args: { command: ["ls"] } },
    play: async ({ canvas }) => {
      await expect(canvas.queryByText(/^Runs in/)).toBeNull();
      await expect(canvas.getByText(/"ls"/)).toBeVisible();
    },
  },
});
