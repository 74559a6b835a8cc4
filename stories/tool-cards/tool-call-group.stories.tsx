import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ToolCallGroup } from "@/components/tool-cards/tool-call-group";
import type { CardState } from "@/components/tool-cards/card-state";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";

const call = {
  tool_name: "lookup_harbour",
  kind: "dynamic" as const,
  args: { name: "Oban" },
  args_text: '{"name":"Oban"',
  output: { berths: [12, 14] },
};

const calls = (count: number, last: CardState = "completed") =>
  Array.from({ length: count }, (_, index) => ({
    ...callInState(call, index === count - 1 ? last : "completed"),
    tool_call_id: `call_${index}`,
    tool_name: index % 4 === 3 ? "read_tides" : "lookup_harbour",
  }));

const meta = {
  component: ToolCallGroup,
  args: { calls: calls(10), now: NOW },
} satisfies Meta<typeof ToolCallGroup>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Completed: {},
  "Failed: how many calls did is stated": {
    args: { calls: calls(10, "error") },
    play: async ({ canvas }) => {
      const line = canvas.getByRole("button", { name: /10 tool calls/ });
      await expect(line).toHaveTextContent("1 failed");
    },
  },
  "Running: it is open": {
    args: { calls: calls(5, "running") },
    play: async ({ canvas }) => {
      const line = canvas.getByRole("button", { name: /5 tool calls/ });
      await expect(line).toHaveAttribute("aria-expanded", "true");
      await expect(line).toHaveTextContent("Running");
    },
  },
});

export const TestOpens: Story = {
  name: "(Test) Ten calls are one line that opens",
  play: async ({ canvas, userEvent }) => {
    const line = canvas.getByRole("button", { name: /10 tool calls/ });
    await expect(line).toHaveTextContent("Lookup harbour × 8, Read tides × 2");
    await expect(line).toHaveTextContent("Done");
    await expect(canvas.getAllByRole("button")).toHaveLength(1);
    line.focus();
    await userEvent.keyboard("{Enter}");
    await expect(line).toHaveAttribute("aria-expanded", "true");
    await expect(canvas.getAllByRole("button", { name: /Lookup harbour|Read tides/ })).toHaveLength(
      11,
    );
  },
};
