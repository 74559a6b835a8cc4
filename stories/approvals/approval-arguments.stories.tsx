import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ApprovalArguments } from "@/components/approvals/approval-arguments";

const meta = { component: ApprovalArguments } satisfies Meta<typeof ApprovalArguments>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Command: Story = {
  args: {
    toolName: "exec",
    args: { command: "npm test", cwd: "web", env: { CI: "1" }, timeout: 120 },
  },
};
export const CommandInTheWorkspace: Story = {
  args: { toolName: "exec", args: { command: "ls -la" } },
};
export const OtherTool: Story = {
  args: { toolName: "write_file", args: { path: "notes.md", content: "# Notes" } },
};

export const TestDisguised: Story = {
  name: "(Test) Characters that are invisible are shown by their codes",
  args: { toolName: "write_file", args: { path: "gpj\u202Eexe.sh" } },
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/gpj\\u\{202e\}exe\.sh/)).toBeVisible();
  },
};

export const TestWrongShape: Story = {
  name: "(Test) A command that is no text is shown as arguments",
  args: { toolName: "exec", args: { command: ["ls"] } },
  play: async ({ canvas }) => {
    await expect(canvas.queryByText(/^Runs in/)).toBeNull();
    await expect(canvas.getByText(/"ls"/)).toBeVisible();
  },
};
