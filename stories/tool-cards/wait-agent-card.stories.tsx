import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import { TaskState } from "@/contract/task-state";
import { COMPLETED, FAILED, FIRST_AGENT, GO_ON, RUNNING, WAIT, waitOf } from "./agents";
import { callInState, NOW } from "./call-in-state";

const callOf = (output: ReturnType<typeof waitOf>) => ({
  tool_name: "wait_agent",
  kind: "builtin" as const,
  args: { chat_ids: WAIT.chat_ids },
  args_text: '{"chat_ids":["0198c0de',
  output,
});
const completedWith = (output: ReturnType<typeof waitOf>) => ({
  part: callInState(callOf(output), "completed"),
});
const all = waitOf([COMPLETED, FAILED, { ...RUNNING, state: "cancelled" }]);
const waitingFor = (needed: number) => ({
  part: {
    ...callInState(callOf(all), "awaiting_agents"),
    output: { ...WAIT, min_completed: needed },
  },
});

const meta = {
  component: ToolCall,
  args: { ...completedWith(all), place: { onNavigate: fn() }, now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Waiting: Story = { args: waitingFor(3) };
export const WaitingForSome: Story = { args: waitingFor(2) };
export const AllEnded: Story = {};
export const TimedOut: Story = {
  args: completedWith(waitOf([COMPLETED, RUNNING], "deadline", GO_ON)),
};
export const EndedByMessage: Story = {
  args: completedWith(waitOf([RUNNING], "message", `A new message has ended the wait. ${GO_ON}`)),
};
export const EveryState: Story = {
  args: completedWith(
    waitOf(
      TaskState.options.map((state, index) => ({
        ...RUNNING,
        chat_id: FIRST_AGENT.replace(/1$/, String(index)),
        title: `Agent ${state}`,
        state,
      })),
    ),
  ),
};
export const LongTitles: Story = {
  args: completedWith(
    waitOf([
      { ...COMPLETED, title: "Measure every logging library there is ".repeat(4) },
      { ...FAILED, title: "extraordinarily-long-".repeat(10) },
    ]),
  ),
};

export const TestWaiting: Story = {
  name: "(Test) A call that waits is open, with a link to each agent and the time left",
  ...WaitingForSome,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText(/Waiting for 2 of 3 agents/)).toHaveTextContent(
      "Time left: 1m 30s",
    );
    await expect(canvas.getAllByRole("listitem")).toHaveLength(3);
    await userEvent.click(canvas.getByRole("link", { name: "Agent 1" }));
    await expect(args.place?.onNavigate).toHaveBeenCalledWith(`/chats/${FIRST_AGENT}`);
  },
};

export const TestEnded: Story = {
  name: "(Test) Each agent has its state, its error and a folded report",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /3 of 3 ended/ }));
    const [completed, failed, cancelled] = canvas.getAllByRole("listitem");
    await expect(completed).toHaveTextContent("Measure pinoCompleted");
    await expect(failed).toHaveTextContent("FailedRate limited. Another try may work.");
    await expect(cancelled).toHaveTextContent("Cancelled");
    await expect(canvas.queryByText(/120,000/)).toBeNull();
    canvas.getByRole("button", { name: "Report of Measure pino" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(await canvas.findByText(/120,000 lines/)).toBeVisible();
  },
};

export const TestTimedOut: Story = {
  name: "(Test) A wait that timed out says so, and that the agents go on",
  ...TimedOut,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /1 of 2 ended.*Timed out/ }));
    await expect(canvas.getByText(/^The wait timed out/)).toHaveTextContent(GO_ON);
    await expect(canvas.getByText("Running")).toBeVisible();
  },
};

export const TestMessage: Story = {
  name: "(Test) A wait that a message ended says so once",
  ...EndedByMessage,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Ended by a message/ }));
    await expect(canvas.getAllByText(/A new message has ended the wait/)).toHaveLength(1);
  },
};
