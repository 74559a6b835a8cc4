import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ToolBoxes } from "@/components/settings/tool-boxes";
import { showStates } from "../show-states";
import { TOOLS } from "./group-fixtures";

const meta = {
  component: ToolBoxes,
  args: {
    hint: "A chat has only these tools.",
    first: ["todo_write"],
    value: ["lint"],
    tools: TOOLS,
    missingText: "It is gone.",
    error: undefined,
    onChange: fn(),
  },
} satisfies Meta<typeof ToolBoxes>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Missing: {},
  "With error": { args: { error: "Names no tool." } },
});

export const TestOrder: Story = {
  name: "(Test) What is gone comes first, then what was chosen; a box adds and removes",
  play: async ({ args, canvas, userEvent }) => {
    const boxes = canvas.getAllByRole("checkbox");
    const names = ["lint", "todo_write", "exec", "read_file"];
    for (const [index, name] of names.entries()) {
      await expect(boxes[index]).toHaveAccessibleName(name);
    }
    await userEvent.click(canvas.getByRole("checkbox", { name: "exec" }));
    await expect(args.onChange).toHaveBeenLastCalledWith(["lint", "exec"]);
    await userEvent.click(canvas.getByRole("checkbox", { name: "lint" }));
    await expect(args.onChange).toHaveBeenLastCalledWith([]);
  },
};
