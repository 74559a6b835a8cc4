import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { TodoWriteCard } from "@/components/tool-cards/cards/todo-write-card";
import type { Todo } from "@/contract/todos";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

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

/** A newer list has replaced it. */
const replaced: Story = { args: { place: {} } };

export const States: Story = showStates(meta, {
  Completed: {},
  Replaced: replaced,
  "Completed, all done": {
    args: withTodos(steps.map((step) => ({ ...step, status: "completed" as const }))),
  },
  Empty: {
    args: withTodos([]),
    play: async ({ canvas }) => {
      await expect(canvas.getByText("The list is empty.")).toBeVisible();
    },
  },
  "Long steps": {
    args: withTodos(
      Array.from({ length: 30 }, (_, index) => ({
        content: `${index + 1}. ${"extraordinarily-long-".repeat(index)}step`,
        status: "pending" as const,
      })),
    ),
  },
  Streaming: { args: { part: callInState(toCall(steps), "streaming"), output: undefined } },
  /** The output does not have the fields of this tool. */
  "Wrong shape: it is shown as data": {
    args: {
      part: { ...callInState(toCall(steps), "completed"), output: { todos: [1] } },
      output: undefined,
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/"todos": \[/)).toBeVisible();
    },
  },
  "The newest list is open, and says the state of each step in words": {
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
  },
});

export const TestReplaced: Story = {
  name: "(Test) A list that was replaced is closed, and opens",
  ...replaced,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.queryByText("Draw the chart")).not.toBeInTheDocument();
    await userEvent.click(canvas.getByRole("button", { name: /Earlier to-do list/ }));
    await expect(canvas.getByText("Draw the chart")).toBeVisible();
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
