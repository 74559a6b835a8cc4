import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { AgentRows } from "@/components/tool-cards/agent-row";
import { LiveAgent } from "@/components/tool-cards/live-agent";
import { showStates } from "../show-states";
import { LIVE_AGENT } from "./agents";
import { NOW } from "./call-in-state";

const standing = (change: Partial<typeof LIVE_AGENT>) => ({
  place: { onNavigate: fn(), onStopTask: fn(), agents: [{ ...LIVE_AGENT, ...change }] },
});
const QUEUED = { task_state: "queued", started_at: null, steps: 0, last_line: null } as const;

const meta = {
  component: LiveAgent,
  render: (args) => (
    <AgentRows>
      <LiveAgent {...args} />
    </AgentRows>
  ),
  args: {
    chatId: LIVE_AGENT.chat_id,
    title: "Agent 1",
    type: "explore",
    now: NOW,
    ...standing({}),
  },
} satisfies Meta<typeof LiveAgent>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Running: {},
  "A queued agent has no time and no cost, and can be stopped": {
    args: standing({ ...QUEUED, cost_micros: 0 }),
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("listitem")).toHaveTextContent(
        "Measure pinoexploreQueued0 stepsStop",
      );
      await expect(canvas.getByRole("button", { name: /^Stop this agent/ })).toBeEnabled();
    },
  },
  "An agent that has ended cannot be stopped, and its time stands": {
    args: standing({ task_state: "completed", ended_at: "2026-03-12T12:00:03.000Z" }),
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("listitem")).toHaveTextContent(/Done.*3\.0s$/);
      await expect(canvas.queryByRole("button")).toBeNull();
    },
  },
  "Long line": { args: standing({ last_line: "Reads a long line. ".repeat(40) }) },
  "An agent that the chat does not list has what its call said": {
    args: { place: { agents: [] }, fallback: "It started to work at once." },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("listitem")).toHaveTextContent(
        "Agent 1exploreIt started to work at once.",
      );
    },
  },
});

export const Twenty: Story = {
  args: {
    place: {
      onStopTask: fn(),
      agents: Array.from({ length: 20 }, (_, index) => ({
        ...LIVE_AGENT,
        ...(index < 5 ? {} : QUEUED),
        chat_id: `agent-${index}`,
        title: `Agent ${index + 1}`,
      })),
    },
  },
  render: (args) => (
    <AgentRows>
      {args.place?.agents?.map(({ chat_id: id }) => (
        <LiveAgent key={id} {...args} chatId={id} />
      ))}
    </AgentRows>
  ),
};

export const TestRunning: Story = {
  name: "(Test) It has the title that the agent has now, how far it is, and can be stopped",
  play: async ({ args, canvas, userEvent }) => {
    const row = canvas.getByRole("listitem");
    await expect(row).toHaveTextContent(/^Measure pino.*Running.*Runs the benchmark.*3 steps.*4/);
    await userEvent.click(canvas.getByRole("button", { name: "Stop this agent: Measure pino" }));
    await expect(args.place?.onStopTask).toHaveBeenCalledWith(LIVE_AGENT.task_id);
  },
};

export const TestTwenty: Story = {
  name: "(Test) Twenty agents are twenty rows, each of which can be stopped",
  ...Twenty,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getAllByText("Queued")).toHaveLength(15);
    const stops = canvas.getAllByRole("button", { name: /^Stop this agent: Agent \d+$/ });
    await expect(stops).toHaveLength(20);
    await userEvent.click(stops[19] ?? document.body);
    await expect(args.place?.onStopTask).toHaveBeenCalledTimes(1);
  },
};
