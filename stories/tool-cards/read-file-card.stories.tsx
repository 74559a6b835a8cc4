import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ReadFileCard } from "@/components/tool-cards/read-file-card";
import { callInState, NOW } from "./call-in-state";

const call = {
  tool_name: "read_file",
  kind: "builtin" as const,
  args: { path: "src/tides/depth.ts", offset: 40 },
  args_text: '{"path":"src/tides/de',
  output: "40\texport const depthAt = (hour: number) => {\n41\t  return hour / 12;\n42\t};",
};

const meta = {
  component: ReadFileCard,
  args: { part: callInState(call, "completed"), now: NOW },
} satisfies Meta<typeof ReadFileCard>;
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

/** The path is longer than the screen is wide. */
export const LongPath: Story = {
  args: {
    part: {
      ...callInState(call, "completed"),
      args: { path: `src/${"very-deep/".repeat(20)}depth.ts` },
    },
  },
};

export const TestPartialPath: Story = {
  name: "(Test) The path shows while its arguments are still coming",
  ...Streaming,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("src/tides/de")).toBeVisible();
    await expect(canvas.getByText("Preparing")).toBeVisible();
  },
};
