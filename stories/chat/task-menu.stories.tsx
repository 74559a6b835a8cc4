import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import TaskMenu from "@/components/chat/task-menu";
import type { Task } from "@/contract/task";
import { showStates } from "../show-states";

const CHAT_ID = "0198c0de-0000-7000-8000-000000000001";
const task = (number: number, changes: Partial<Task> = {}): Task => ({
  id: `0198c0de-0000-7000-8000-00000000001${number}`,
  root_chat_id: CHAT_ID,
  chat_id: CHAT_ID,
  tool_call_id: `call_${number}`,
  kind: "tool",
  label: "Compare the libraries",
  state: "running",
  report: null,
  created_at: "2026-03-12T12:00:00.000Z",
  started_at: "2026-03-12T12:00:00.000Z",
  ended_at: null,
  delivered_at: null,
  ...changes,
});

const meta = {
  component: TaskMenu,
  args: {
    tasks: [task(1), task(2, { label: "Read the manual", state: "queued" })],
    onCancel: fn(),
  },
} satisfies Meta<typeof TaskMenu>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Running: {},
  "Long labels": {
    args: { tasks: [task(1, { label: "Compare every logging library there is ".repeat(6) })] },
  },
  Command: { args: { tasks: [task(1, { kind: "command", label: "npm test -- --watch" })] } },
  /** Nothing is shown. */
  "Empty: nothing is shown while no task runs": {
    args: { tasks: [task(1, { state: "completed" })] },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("button")).toBeNull();
    },
  },
});

export const TestCancel: Story = {
  name: "(Test) The running tasks are counted, listed and cancelled",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Running tasks: 2" }));
    const dialog = await screen.findByRole("dialog");
    await expect(dialog).toHaveTextContent("Queued");
    await userEvent.click(await screen.findByRole("button", { name: "Cancel Read the manual" }));
    await expect(args.onCancel).toHaveBeenCalledWith(args.tasks[1]?.id);
  },
};

export const TestCancelAll: Story = {
  name: "(Test) All tasks are cancelled at once, those that have not begun first",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Running tasks: 2" }));
    await userEvent.click(await screen.findByRole("button", { name: "Cancel all" }));
    const [running, queued] = args.tasks;
    await expect(args.onCancel).toHaveBeenNthCalledWith(1, queued?.id);
    await expect(args.onCancel).toHaveBeenNthCalledWith(2, running?.id);
  },
};
