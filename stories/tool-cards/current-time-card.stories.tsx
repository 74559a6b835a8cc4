import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { CurrentTimeCard } from "@/components/tool-cards/current-time-card";
import { callInState, NOW } from "./call-in-state";

const call = {
  tool_name: "current_time",
  kind: "builtin" as const,
  args: { time_zone: "Europe/Oslo" },
  args_text: '{"time_zone":"Europe/',
  output: "2026-03-12T13:00:02+01:00 (Europe/Oslo)",
};

const meta = {
  component: CurrentTimeCard,
  args: { part: callInState(call, "completed"), now: NOW },
} satisfies Meta<typeof CurrentTimeCard>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Streaming: Story = { args: { part: callInState(call, "streaming") } };
export const Running: Story = { args: { part: callInState(call, "running") } };
export const AwaitingResult: Story = { args: { part: callInState(call, "awaiting_result") } };
export const AwaitingApproval: Story = { args: { part: callInState(call, "awaiting_approval") } };
export const Completed: Story = { args: { part: callInState(call, "completed") } };
export const Failed: Story = { args: { part: callInState(call, "error") } };
export const Cancelled: Story = { args: { part: callInState(call, "cancelled") } };
export const TimedOut: Story = { args: { part: callInState(call, "timed_out") } };
export const Denied: Story = { args: { part: callInState(call, "denied") } };

export const TestAnswerInLine: Story = {
  name: "(Test) The time is read without opening the card",
  ...Completed,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("2026-03-12T13:00:02+01:00 (Europe/Oslo)")).toBeVisible();
    await expect(canvas.getByRole("button")).toHaveAttribute("aria-expanded", "false");
  },
};
