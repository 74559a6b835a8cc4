import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import ToolCalls from "@/components/tool-cards/tool-calls";
import { showStates } from "../show-states";
import { createCalls, NOW } from "./call-in-state";

const call = createCalls("read_file", { path: "notes.md" });
const calls = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...call("error").part,
    tool_call_id: `call_${index}`,
  }));

const meta = {
  component: ToolCalls,
  args: { calls: calls(1), now: NOW },
} satisfies Meta<typeof ToolCalls>;
export default meta;
type Story = StoryObj<typeof meta>;

const many: Story = { args: { calls: calls(4) } };

export const States: Story = showStates(meta, {
  One: {},
  Many: many,
  "One call is its card": {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: /Read.*notes\.md/ })).toBeVisible();
      await expect(canvas.queryByText(/tool calls/)).toBeNull();
    },
  },
});

export const TestMany: Story = {
  name: "(Test) Many calls are one line with a card for each",
  ...many,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /4 tool calls/ }));
    await expect(canvas.getAllByRole("button", { name: /Read.*notes\.md/ })).toHaveLength(4);
  },
};
