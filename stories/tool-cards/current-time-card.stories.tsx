import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const call = {
  tool_name: "current_time",
  kind: "builtin" as const,
  args: { time_zone: "Europe/Oslo" },
  args_text: '{"time_zone":"Europe/',
  output: "2026-03-12T13:00:02+01:00 (Europe/Oslo)",
};

const meta = {
  component: ToolCall,
  args: { part: callInState(call, "completed"), now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "The closed card shows the time": {
    play: async ({ canvas }) => {
      await expect(canvas.getByText("2026-03-12T13:00:02+01:00 (Europe/Oslo)")).toBeVisible();
      await expect(canvas.getByRole("button")).toHaveAttribute("aria-expanded", "false");
    },
  },
  /** The line shows the zone until the time is known. */
  Running: { args: { part: callInState(call, "running") } },
  "The line shows the zone when the output is too long for it": {
    args: { part: callInState({ ...call, output: "2026-03-12 ".repeat(40) }, "completed") },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Europe/Oslo")).toBeVisible();
    },
  },
});

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
