import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import { showStates } from "../show-states";
import { COMPLETED, FAILED, FIRST_AGENT, GO_ON, RUNNING, WAIT, getWait } from "./agents";
import { createCalls, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const call = createCalls("delegate", {
  prompt: "Measure how many lines pino writes.",
  title: "Measure pino",
});

const meta = {
  component: ToolCall,
  args: { ...call("completed", getWait([COMPLETED])), now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Streaming: { args: call("streaming") },
  "Awaiting agents: the card names the agent and links to its chat": {
    args: call("awaiting_agents", { ...WAIT, chat_ids: [FIRST_AGENT], min_completed: 1 }),
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Waiting for agents")).toBeVisible();
      await expect(canvas.getByRole("link", { name: "Measure pino" })).toHaveAttribute(
        "href",
        `/chats/${FIRST_AGENT}`,
      );
      await expect(canvas.getByText(/Time left/)).toHaveTextContent("1m 30s");
    },
  },
  Completed: {},
  Failed: { args: call("completed", getWait([FAILED])) },
  "Timed out": { args: call("completed", getWait([RUNNING], "deadline", GO_ON)) },
  "Failed, refused": { args: call("error") },
});

export const TestReport: Story = {
  name: "(Test) The report of the agent opens in its card",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Delegate Measure pino/ }));
    await userEvent.click(canvas.getByRole("button", { name: "Report of Measure pino" }));
    await expect(await canvas.findByText(/120,000 lines/)).toBeVisible();
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
