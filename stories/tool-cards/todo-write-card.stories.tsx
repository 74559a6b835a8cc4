import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { TodoWriteCard } from "@/components/tool-cards/todo-write-card";
import type { Todo } from "@/contract/todos";
import { callInState, NOW } from "./call-in-state";

const steps: Todo[] = [
  { content: "Read the data", status: "completed" },
  { content: "Draw the chart", status: "in_progress" },
  { content: "Hand it over", status: "pending" },
];

const toCall = (todos: Todo[]) => ({
  tool_name: "todo_write",
  kind: "builtin" as const,
  args: { todos },
  args_text: '{"todos":[{"content":"Read the da',
  output: { todos },
});

const withTodos = (todos: Todo[]) => ({
  part: callInState(toCall(todos), "completed"),
  output: { todos },
});

const meta = {
  component: TodoWriteCard,
  args: { ...withTodos(steps), place: { newestTodoCall: "call_1" }, now: NOW },
} satisfies Meta<typeof TodoWriteCard>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Newest: Story = {};
/** A newer list has replaced it. */
export const Replaced: Story = { args: { place: {} } };
export const AllDone: Story = {
  args: withTodos(steps.map((step) => ({ ...step, status: "completed" as const }))),
};
export const Empty: Story = { args: withTodos([]) };
export const LongSteps: Story = {
  args: withTodos(
    Array.from({ length: 30 }, (_, index) => ({
      content: `${index + 1}. ${"extraordinarily-long-".repeat(index)}step`,
      status: "pending" as const,
    })),
  ),
};
export const Writing: Story = {
  args: { part: callInState(toCall(steps), "streaming"), output: undefined },
};
/** The output does not have the fields of this tool. */
export const WrongShape: Story = {
  args: {
    part: { ...callInState(toCall(steps), "completed"), output: { todos: [1] } },
    output: undefined,
  },
};

export const TestNewest: Story = {
  name: "(Test) The newest list is open, and says the state of each step in words",
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: /To-do list 1 of 3 done/ })).toHaveAttribute(
      "aria-expanded",
      "true",
    );
    await expect(canvas.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "Done: Read the data",
      "In progress: Draw the chart",
      "To do: Hand it over",
    ]);
  },
};

export const TestReplaced: Story = {
  name: "(Test) A list that was replaced is closed, and opens",
  ...Replaced,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.queryByText("Draw the chart")).not.toBeInTheDocument();
    await userEvent.click(canvas.getByRole("button", { name: /Earlier to-do list/ }));
    await expect(canvas.getByText("Draw the chart")).toBeVisible();
  },
};

export const TestEmpty: Story = {
  name: "(Test) An empty list says so",
  ...Empty,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("The list is empty.")).toBeVisible();
  },
};

export const TestWrongShape: Story = {
  name: "(Test) An output of another shape is shown as data",
  ...WrongShape,
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/"todos": \[/)).toBeVisible();
  },
};
