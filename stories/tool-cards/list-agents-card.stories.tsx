import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import type { AgentList, AgentOutcome } from "@/contract/agent";
import { showStates } from "../show-states";
import { COMPLETED, FAILED, RUNNING } from "./agents";
import { createCalls, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const getRow = (
  { chat_id, title, state }: AgentOutcome,
  more: Pick<AgentList["agents"][number], "type" | "status">,
): AgentList["agents"][number] => ({
  chat_id,
  title,
  state,
  ...more,
  created_at: "2026-03-12T11:59:00.000Z",
  updated_at: "2026-03-12T12:00:00.000Z",
});
const agents = [
  getRow(COMPLETED, { type: "explore", status: "waiting" }),
  getRow(FAILED, { type: null, status: "error" }),
  getRow(RUNNING, { type: "general", status: "running" }),
];

const call = createCalls("list_agents", {}, "{");
const completedWith = (output: AgentList) => call("completed", output);

const meta = {
  component: ToolCall,
  args: { ...completedWith({ agents, total: 3, has_more: false }), now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;

const page: Story = { args: completedWith({ agents, total: 12, has_more: true }) };
const none: Story = { args: completedWith({ agents: [], total: 0, has_more: false }) };

export const States: Story = showStates(meta, {
  All: {},
  Page: page,
  Empty: none,
});

export const TestAll: Story = {
  name: "(Test) Each agent has its title, its type and its state",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /List agents 3/ }));
    await expect(canvas.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "Measure pinoexploreDone",
      "Measure winstonFailed",
      "Measure bunyangeneralRunning",
    ]);
  },
};

export const TestPage: Story = {
  name: "(Test) A page of the list says how many there are",
  ...page,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button"));
    await expect(canvas.getByText("3 of 12 agents.")).toBeVisible();
  },
};

export const TestNone: Story = {
  name: "(Test) A chat without agents says so",
  ...none,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button"));
    await expect(canvas.getByText("This chat has no agents.")).toBeVisible();
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
