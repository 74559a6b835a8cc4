import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import { TaskState } from "@/contract/task-state";
import { showStates } from "../show-states";
import {
  ASKING,
  CLAIMED,
  COMPLETED,
  FAILED,
  FIRST_AGENT,
  GO_ON,
  LIVE_AGENT,
  RUNNING,
  WAIT,
  getWait,
} from "./agents";
import { createCalls, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const call = createCalls("wait_agent", { chat_ids: WAIT.chat_ids });
const completedWith = (output: ReturnType<typeof getWait>) => call("completed", output);
const waitingFor = (needed: number) => call("awaiting_agents", { ...WAIT, min_completed: needed });
const all = getWait([COMPLETED, FAILED, { ...RUNNING, state: "cancelled" }]);

const meta = {
  component: ToolCall,
  args: { ...completedWith(all), place: { onNavigate: fn() }, now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;

const waitingForSome: Story = { args: waitingFor(2) };
const timedOut: Story = {
  args: completedWith(getWait([COMPLETED, RUNNING], "deadline", GO_ON)),
};
const endedByMessage: Story = {
  args: completedWith(getWait([RUNNING], "message", `A new message has ended the wait. ${GO_ON}`)),
};

const live = (index: number, change: Partial<typeof LIVE_AGENT> = {}) => ({
  ...LIVE_AGENT,
  chat_id: WAIT.chat_ids[index] ?? "",
  title: `Agent ${index + 1}`,
  ...change,
});

const TWENTY = Array.from({ length: 20 }, (_, index) =>
  FIRST_AGENT.replace(/..$/, String(index + 10)),
);

export const States: Story = showStates(meta, {
  "Awaiting agents": { args: waitingFor(3) },
  "Awaiting agents, some": waitingForSome,
  Completed: {},
  "Timed out": timedOut,
  "Completed, by a message": endedByMessage,
  "Every state": {
    args: completedWith(
      getWait(
        TaskState.options.map((state, index) => ({
          ...RUNNING,
          chat_id: FIRST_AGENT.replace(/1$/, String(index)),
          title: `Agent ${state}`,
          state,
        })),
      ),
    ),
  },
  "Long titles": {
    args: completedWith(
      getWait([
        { ...COMPLETED, title: "Measure every logging library there is ".repeat(4) },
        { ...FAILED, title: "extraordinarily-long-".repeat(10) },
      ]),
    ),
  },
  "Awaiting agents: each shows how it stands, and those that work can be stopped": {
    args: {
      ...waitingFor(3),
      place: {
        onNavigate: fn(),
        onStopTask: fn(),
        agents: [
          live(0, { task_state: "completed", ended_at: "2026-03-12T12:00:03.000Z" }),
          live(1),
          live(2, { task_state: "queued", started_at: null, steps: 0, last_line: null }),
        ],
      },
    },
    play: async ({ canvas }) => {
      const [ended, running, queued] = canvas.getAllByRole("listitem");
      await expect(ended).toHaveTextContent("Done");
      await expect(running).toHaveTextContent(/Running.*3 steps/);
      await expect(queued).toHaveTextContent("Queued");
      await expect(canvas.getAllByRole("button", { name: /^Stop this agent/ })).toHaveLength(2);
    },
  },
  "Needs you: only the agent whose call no program works on says so": {
    args: {
      ...waitingFor(3),
      place: {
        onNavigate: fn(),
        onStopTask: fn(),
        agents: [
          live(0, ASKING),
          live(1, CLAIMED),
          live(2, { ...ASKING, task_state: "cancelled" }),
        ],
      },
    },
    play: async ({ canvas }) => {
      const [asking, claimed, cancelled] = canvas.getAllByRole("listitem");
      await expect(asking).toHaveTextContent(/Needs you.*Stop/);
      await expect(asking).not.toHaveTextContent("Running");
      await expect(claimed).toHaveTextContent(/Running.*Stop/);
      await expect(cancelled).toHaveTextContent("Cancelled");
    },
  },
  "Twenty agents are twenty rows": {
    args: {
      ...call("awaiting_agents", { ...WAIT, chat_ids: TWENTY, min_completed: 20 }),
      place: {
        onNavigate: fn(),
        agents: TWENTY.map((id, index) =>
          live(index, { chat_id: id, task_state: index < 5 ? "running" : "queued" }),
        ),
      },
    },
    play: async ({ canvas }) => {
      await expect(canvas.getAllByRole("listitem")).toHaveLength(20);
      await expect(canvas.getAllByText("Queued")).toHaveLength(15);
    },
  },
});

export const TestWaiting: Story = {
  name: "(Test) A call that waits is open, with a link to each agent and the time left",
  ...waitingForSome,
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
    await expect(completed).toHaveTextContent("Measure pinoDone");
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
  ...timedOut,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /1 of 2 ended.*Timed out/ }));
    await expect(canvas.getByText(/^The wait timed out/)).toHaveTextContent(GO_ON);
    await expect(canvas.getByText("Running")).toBeVisible();
  },
};

export const TestMessage: Story = {
  name: "(Test) A wait that a message ended says so once",
  ...endedByMessage,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Ended by a message/ }));
    await expect(canvas.getAllByText(/A new message has ended the wait/)).toHaveLength(1);
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta, WAIT) };
