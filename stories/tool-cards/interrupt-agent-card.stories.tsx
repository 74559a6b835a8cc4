import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import { showStates } from "../show-states";
import { FIRST_AGENT } from "./agents";
import { createCalls, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const call = createCalls("interrupt_agent", { chat_id: FIRST_AGENT });
const stopped = call("completed", { interrupted: true });

const meta = {
  component: ToolCall,
  args: { ...stopped, now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;

const wasIdle: Story = { args: call("completed", { interrupted: false }) };

export const States: Story = showStates(meta, {
  Completed: {},
  "Completed, was at rest": wasIdle,
  Running: { args: call("running") },
  Failed: { args: call("error") },
});

export const TestStopped: Story = {
  name: "(Test) An agent that was stopped says so, and links to its chat",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Stop agent.*Stopped/ }));
    await expect(canvas.getByText(/^The agent was stopped/)).toBeVisible();
    await expect(canvas.getByRole("link", { name: "Open the agent's chat" })).toBeVisible();
  },
};

export const TestIdle: Story = {
  name: "(Test) An agent that was idle had nothing to stop",
  ...wasIdle,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Was idle/ }));
    await expect(canvas.getByText(/^The agent was not working/)).toBeVisible();
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
