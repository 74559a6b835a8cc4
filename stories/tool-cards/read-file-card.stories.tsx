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

export const FromLine: Story = {};
export const PartialPath: Story = { args: { part: callInState(call, "streaming") } };
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
  name: "(Test) The path is shown while the arguments are streamed",
  ...PartialPath,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("src/tides/de")).toBeVisible();
    await expect(canvas.getByText("Preparing")).toBeVisible();
  },
};

export const TestFromLine: Story = {
  name: "(Test) The line shows where a later page begins",
  ...FromLine,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("src/tides/depth.ts from line 40")).toBeVisible();
  },
};
