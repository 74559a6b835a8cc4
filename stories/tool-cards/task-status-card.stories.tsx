import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";

const call = {
  tool_name: "task_status",
  kind: "builtin" as const,
  args: { task_id: "0198c0de-0000-7000-8000-000000000011" },
  args_text: "{",
  output: '0198c0de-0000-7000-8000-000000000011 running "Compare"',
};

const meta = {
  component: ToolCall,
  args: { part: callInState(call, "completed"), now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Completed: {},
  Running: { args: { part: callInState(call, "running") } },
});

export const TestLine: Story = {
  name: "(Test) The line says what the call is about, and opens to its output",
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByText("0198c0de-0000-7000-8000-000000000011")).toBeVisible();
    await userEvent.click(canvas.getByRole("button"));
    await expect(await canvas.findByText(/running "Compare"/)).toBeVisible();
  },
};
