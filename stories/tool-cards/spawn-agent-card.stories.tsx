import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import type { StartedAgent } from "@/contract/agent";
import { showStates } from "../show-states";
import { ASKING, CLAIMED, FIRST_AGENT, LIVE_AGENT } from "./agents";
import { createCalls, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const agent: StartedAgent = {
  chat_id: FIRST_AGENT,
  title: "Measure pino",
  type: "explore",
  state: "running",
};
const call = createCalls("spawn_agent", {
  prompt: "Measure how many lines pino writes.",
  title: "Measure pino",
});
const completedWith = (change: Partial<StartedAgent>) => call("completed", { ...agent, ...change });

const meta = {
  component: ToolCall,
  args: { ...completedWith({}), place: { onNavigate: fn() }, now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;

const queued: Story = { args: completedWith({ state: "queued" }) };

const live: Story = {
  args: { place: { onNavigate: fn(), onStopTask: fn(), agents: [LIVE_AGENT] } },
};

export const TestLive: Story = {
  name: "(Test) An agent that works shows how far it is, and can be stopped",
  ...live,
  play: async ({ args, canvas, userEvent }) => {
    const head = canvas.getByRole("button", { name: /Start agent/ });
    await expect(head).toHaveTextContent("Running");
    await userEvent.click(head);
    const row = canvas.getByRole("listitem");
    await expect(row).toHaveTextContent(/Running.*Runs the benchmark.*3 steps/);
    await userEvent.click(canvas.getByRole("button", { name: "Stop this agent: Measure pino" }));
    await expect(args.place?.onStopTask).toHaveBeenCalledWith(LIVE_AGENT.task_id);
  },
};

const asking: Story = {
  args: { place: { onNavigate: fn(), agents: [{ ...LIVE_AGENT, ...ASKING }] } },
};

const claimed: Story = {
  args: { place: { onNavigate: fn(), agents: [{ ...LIVE_AGENT, ...CLAIMED }] } },
};

export const States: Story = showStates(meta, {
  Completed: {},
  Queued: queued,
  Streaming: { args: call("streaming") },
  Failed: { args: call("error") },
  "Long title": {
    args: completedWith({ title: "Measure every logging library there is ".repeat(4) }),
  },
  Running: live,
  "Needs you": asking,
  "Awaiting programs": claimed,
});

export const TestAsking: Story = {
  name: "(Test) An agent that waits for the person says so, closed and open",
  ...asking,
  play: async ({ canvas, userEvent }) => {
    const card = canvas.getByRole("button", { name: /Start agent/ });
    await expect(card).toHaveAccessibleName(/Needs you/);
    await userEvent.click(card);
    await expect(canvas.getByRole("listitem")).toHaveTextContent("Needs you");
    await expect(canvas.queryByText("Running")).toBeNull();
  },
};

export const TestClaimed: Story = {
  name: "(Test) An agent whose calls programs work on runs, and waits for nobody",
  ...claimed,
  play: async ({ canvas, userEvent }) => {
    const card = canvas.getByRole("button", { name: /Start agent/ });
    await expect(card).toHaveAccessibleName(/Running/);
    await userEvent.click(card);
    await expect(canvas.getByRole("listitem")).toHaveTextContent("Running");
    await expect(canvas.queryByText("Needs you")).toBeNull();
  },
};

export const TestLiveEnded: Story = {
  name: "(Test) An agent that has ended cannot be stopped",
  args: {
    place: { onStopTask: fn(), agents: [{ ...LIVE_AGENT, task_state: "completed" }] },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Start agent/ }));
    await expect(canvas.getByRole("listitem")).toHaveTextContent("Done");
    await expect(canvas.queryByRole("button", { name: /Stop/ })).toBeNull();
  },
};

export const TestStarted: Story = {
  name: "(Test) The card names the agent and its type, and links to its chat",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Start agent Measure pino/ }));
    await expect(canvas.getByRole("listitem")).toHaveTextContent(
      "Measure pinoexploreIt started to work at once.",
    );
    const link = canvas.getByRole("link", { name: "Measure pino" });
    await expect(link).toHaveAttribute("href", `/chats/${FIRST_AGENT}`);
    link.focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.place?.onNavigate).toHaveBeenCalledWith(`/chats/${FIRST_AGENT}`);
  },
};

export const TestQueued: Story = {
  name: "(Test) An agent that was queued says when it starts",
  ...queued,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button"));
    await expect(canvas.getByText(/^It was queued/)).toBeVisible();
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
