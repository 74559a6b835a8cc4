import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { AwaitedAgentList } from "@/components/tool-cards/awaited-agents";
import { AwaitedAgents } from "@/contract/agent";
import { showStates } from "../show-states";
import { COMPLETED, FAILED, GO_ON, LIVE_AGENT, RUNNING, WAIT, getWait } from "./agents";
import { createCalls, NOW } from "./call-in-state";

const call = createCalls("wait_agent", { chat_ids: WAIT.chat_ids });
const ended = (...args: Parameters<typeof getWait>) => {
  const output = getWait(...args);
  return { ...call("completed", output), output: AwaitedAgents.parse(output) };
};

const meta = {
  component: AwaitedAgentList,
  args: { ...ended([COMPLETED, FAILED]), place: { onNavigate: fn() }, now: NOW },
} satisfies Meta<typeof AwaitedAgentList>;
export default meta;
type Story = StoryObj<typeof meta>;

const waitingForOne: Story = {
  args: {
    ...call("awaiting_agents", { ...WAIT, chat_ids: [LIVE_AGENT.chat_id], min_completed: 1 }),
    output: undefined,
    title: "Measure pino",
  },
};
const queued: Story = {
  args: {
    ...waitingForOne.args,
    title: undefined,
    place: {
      onStopTask: fn(),
      agents: [{ ...LIVE_AGENT, task_state: "queued", started_at: null, last_line: null }],
    },
  },
};

export const States: Story = showStates(meta, {
  Completed: {},
  "Timed out: what goes on is said": {
    args: ended([COMPLETED, RUNNING], "deadline", GO_ON),
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/^The wait timed out/)).toHaveTextContent(GO_ON);
    },
  },
  "A message that ended the wait is named without a note of the server": {
    args: ended([RUNNING], "message"),
    play: async ({ canvas }) => {
      await expect(canvas.getByText("A new message has ended the wait.")).toBeVisible();
    },
  },
  "Awaiting agents": { args: { ...call("awaiting_agents", WAIT), output: undefined } },
  "Awaiting agents, one: there is no count": {
    ...waitingForOne,
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/Time left/)).toHaveTextContent("Time left: 1m 30s");
      await expect(canvas.getByRole("link", { name: "Measure pino" })).toBeVisible();
    },
  },
  "Awaiting agents, queued": queued,
  Failed: { args: { ...call("error"), output: undefined } },
});

export const TestEnded: Story = {
  name: "(Test) Reports are folded, and each names its agent",
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.queryByText(/120,000/)).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Report of Measure pino" }));
    await expect(await canvas.findByText(/120,000 lines/)).toBeVisible();
    await expect(canvas.getByRole("button", { name: "Report of Measure winston" })).toBeVisible();
  },
};

export const TestQueued: Story = {
  name: "(Test) A queued agent that is waited for can be stopped",
  ...queued,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("listitem")).toHaveTextContent("Queued");
    await userEvent.click(canvas.getByRole("button", { name: "Stop this agent: Measure pino" }));
    await expect(args.place?.onStopTask).toHaveBeenCalledWith(LIVE_AGENT.task_id);
  },
};
