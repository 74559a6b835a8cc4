import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import { COMPLETED, FAILED, FIRST_AGENT, GO_ON, RUNNING, WAIT, waitOf } from "./agents";
import { callInState, NOW } from "./call-in-state";

const callOf = (output: ReturnType<typeof waitOf>) => ({
  tool_name: "delegate",
  kind: "builtin" as const,
  args: { prompt: "Measure how many lines pino writes.", title: "Measure pino" },
  args_text: '{"prompt":"Measure","title":"Measure p',
  output,
});
const done = callOf(waitOf([COMPLETED]));
const completedWith = (output: ReturnType<typeof waitOf>) => ({
  part: callInState(callOf(output), "completed"),
});

const meta = {
  component: ToolCall,
  args: { part: callInState(done, "completed"), now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Writing: Story = { args: { part: callInState(done, "streaming") } };
export const Waiting: Story = {
  args: {
    part: {
      ...callInState(done, "awaiting_agents"),
      output: { ...WAIT, chat_ids: [FIRST_AGENT], min_completed: 1 },
    },
  },
};
export const Completed: Story = {};
export const Failed: Story = { args: completedWith(waitOf([FAILED])) };
export const TimedOut: Story = { args: completedWith(waitOf([RUNNING], "deadline", GO_ON)) };
export const Refused: Story = { args: { part: callInState(done, "error") } };

export const TestWaiting: Story = {
  name: "(Test) While it waits, the card names the agent and links to its chat",
  ...Waiting,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("Waiting for agents")).toBeVisible();
    await expect(canvas.getByRole("link", { name: "Measure pino" })).toHaveAttribute(
      "href",
      `/chats/${FIRST_AGENT}`,
    );
    await expect(canvas.getByText(/Time left/)).toHaveTextContent("1m 30s");
  },
};

export const TestReport: Story = {
  name: "(Test) The report of the agent opens in its card",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Delegate Measure pino/ }));
    await userEvent.click(canvas.getByRole("button", { name: "Report of Measure pino" }));
    await expect(await canvas.findByText(/120,000 lines/)).toBeVisible();
  },
};
