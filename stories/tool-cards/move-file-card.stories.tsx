import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { MoveFileCard } from "@/components/tool-cards/move-file-card";
import { callInState, NOW } from "./call-in-state";

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

export const Moved: Story = {};
export const PartialPaths: Story = { args: { part: callInState(call, "streaming") } };
export const Failed: Story = {
  args: {
    part: {
      ...callInState(call, "error"),
      output: '"notes/tides.md" already exists. Set overwrite to true to replace it.',
    },
  },
};

export const TestMoved: Story = {
  name: "(Test) The line names both paths",
  ...Moved,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("tides.md → notes/tides.md")).toBeVisible();
  },
};

export const TestFailed: Story = {
  name: "(Test) A failure says why",
  ...Failed,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Move file/ }));
    await expect(canvas.getByText(/already exists. Set overwrite/)).toBeVisible();
  },
};

export const TestWrongShape: Story = {
  name: "(Test) Arguments of a wrong shape do not break the card",
  args: { part: { ...callInState(call, "completed"), args: { from: {}, to: 1 } } },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: /^Move file/ })).toBeVisible();
  },
};
