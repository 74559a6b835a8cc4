import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { CommandResult } from "@/components/tool-cards/command-result";
import type { ExecResult } from "@/contract/exec";
import { showStates } from "../show-states";

const output: ExecResult = {
  status: "exited",
  exit_code: 0,
  output: "all is well\n",
  duration_ms: 1_200,
};

const meta = {
  component: CommandResult,
  args: { output, command: "npm test", isScreen: false },
} satisfies Meta<typeof CommandResult>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Completed: {},
  Running: {
    args: { output: { session_id: "1f2e3d4c", status: "running", output: "", duration_ms: 900 } },
  },
  "The command, its output, its end and its session are shown": {
    args: {
      output: {
        ...output,
        status: "killed",
        signal: "SIGKILL",
        session_id: "1f2e3d4c",
        truncated: true,
      },
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("npm test")).toBeVisible();
      await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent("all is well");
      await expect(canvas.getByText("Killed by SIGKILL")).toBeVisible();
      await expect(canvas.getByText("Session 1f2e3d4c")).toBeVisible();
      await expect(canvas.getByText("A part of the output is not shown here.")).toBeVisible();
    },
  },
});
