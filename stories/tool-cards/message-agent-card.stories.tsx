import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import { showStates } from "../show-states";
import { FIRST_AGENT } from "./agents";
import { createCalls, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const message = "Measure asynchronous writes, too.";
const call = createCalls("message_agent", { chat_id: FIRST_AGENT, message });
const sent = call("completed", "The agent works; it reads the message when its turn ends.");
const unknown = createCalls("message_agent", { chat_id: "pino", message });

const meta = {
  component: ToolCall,
  args: { ...sent, now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;

const unknownAgent: Story = { args: unknown("error") };

export const States: Story = showStates(meta, {
  Queued: {},
  Streaming: { args: call("streaming") },
  "Failed, unknown agent": unknownAgent,
});

export const TestQueued: Story = {
  name: "(Test) The card shows the message, what became of it and a link to the agent",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Message agent Measure async/ }));
    await expect(canvas.getByText(/it reads the message when its turn ends/)).toBeVisible();
    await expect(canvas.getByRole("link", { name: "Open the agent's chat" })).toHaveAttribute(
      "href",
      `/chats/${FIRST_AGENT}`,
    );
  },
};

export const TestUnknownAgent: Story = {
  name: "(Test) Without the id of a chat there is no link",
  ...unknownAgent,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button"));
    await expect(canvas.getByText("No chat has the id “pino”.")).toBeVisible();
    await expect(canvas.queryByRole("link")).toBeNull();
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
