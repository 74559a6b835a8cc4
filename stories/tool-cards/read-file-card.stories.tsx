import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ReadFileCard } from "@/components/tool-cards/cards/read-file-card";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const call = {
  tool_name: "read_file",
  kind: "builtin" as const,
  args: { path: "src/tides/depth.ts", offset: 40 },
  args_text: '{"path":"src/tides/de',
  output:
    "40\texport const depthAt = (hour: number) => {\n41\t  return hour / 12;\n42\t};\n\n(Lines 40 to 42 of 90; go on with offset 43.)",
};

const meta = {
  component: ReadFileCard,
  args: { part: callInState(call, "completed"), output: call.output, now: NOW },
} satisfies Meta<typeof ReadFileCard>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Completed: the line shows where a later page begins": {
    play: async ({ canvas }) => {
      await expect(canvas.getByText("src/tides/depth.ts from line 40")).toBeVisible();
    },
  },
  "Streaming: the path is shown already": {
    args: { part: callInState(call, "streaming"), output: undefined },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("src/tides/de")).toBeVisible();
      await expect(canvas.getByText("Preparing")).toBeVisible();
    },
  },
  /** The path is longer than the screen is wide. */
  "Long path": {
    args: {
      part: {
        ...callInState(call, "completed"),
        args: { path: `src/${"very-deep/".repeat(20)}depth.ts` },
      },
    },
  },
});

export const TestLines: Story = {
  name: "(Test) Opens to the lines with their numbers",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Read file/ }));
    await expect(canvas.getByRole("group", { name: "depth.ts" })).toHaveTextContent(
      /^40 41 42export const/,
    );
    await expect(canvas.getByText("Lines 40 to 42 of 90")).toBeVisible();
  },
};

export const TestSentence: Story = {
  name: "(Test) What is no page of lines is shown as it is",
  args: {
    part: { ...callInState(call, "completed"), output: "The file is empty." },
    output: "The file is empty.",
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Read file/ }));
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(
      "The file is empty.",
    );
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
