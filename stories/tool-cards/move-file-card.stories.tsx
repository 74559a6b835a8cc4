import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import MoveFileCard from "@/components/tool-cards/cards/move-file-card";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const call = {
  tool_name: "move_file",
  kind: "builtin" as const,
  args: { from: "tides.md", to: "notes/tides.md" },
  args_text: '{"from":"tides.md","to":"not',
  output: 'Moved "tides.md" to "notes/tides.md".',
};

const meta = {
  component: MoveFileCard,
  args: { part: callInState(call, "completed"), now: NOW },
} satisfies Meta<typeof MoveFileCard>;
export default meta;
type Story = StoryObj<typeof meta>;

const failed: Story = {
  args: {
    part: {
      ...callInState(call, "error"),
      output: '"notes/tides.md" already exists. Set overwrite to true to replace it.',
    },
  },
};

export const States: Story = showStates(meta, {
  "Completed: the line names both paths": {
    play: async ({ canvas }) => {
      await expect(canvas.getByText("tides.md → notes/tides.md")).toBeVisible();
    },
  },
  Streaming: { args: { part: callInState(call, "streaming") } },
  Failed: failed,
  "Wrong shape: the arguments do not break the card": {
    args: { part: { ...callInState(call, "completed"), args: { from: {}, to: 1 } } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: /^Move file/ })).toBeVisible();
    },
  },
});

export const TestFailed: Story = {
  name: "(Test) A failure says why",
  ...failed,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Move file/ }));
    await expect(canvas.getByText(/already exists. Set overwrite/)).toBeVisible();
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
