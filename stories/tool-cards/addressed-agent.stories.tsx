import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { AddressedAgent } from "@/components/tool-cards/addressed-agent";
import { showStates } from "../show-states";
import { FIRST_AGENT } from "./agents";
import { createCalls } from "./call-in-state";

const callTo = (id: string) => createCalls("interrupt_agent", { chat_id: id })("running");

const meta = {
  component: AddressedAgent,
  args: { ...callTo(FIRST_AGENT), place: { onNavigate: fn() } },
} satisfies Meta<typeof AddressedAgent>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Known: {},
  "What is no id of a chat is no link": {
    args: callTo("pino"),
    play: async ({ canvas }) => {
      await expect(canvas.getByText("No chat has the id “pino”.")).toBeVisible();
      await expect(canvas.queryByRole("link")).toBeNull();
    },
  },
  "Long id": { args: callTo("x".repeat(300)) },
  "Nothing is shown until the id is written": {
    args: createCalls("interrupt_agent", {}, "{")("streaming"),
    play: async ({ canvasElement }) => {
      await expect(canvasElement).toHaveTextContent("");
    },
  },
});

export const TestKnown: Story = {
  name: "(Test) An id opens the agent's chat",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("link", { name: "Open the agent's chat" }));
    await expect(args.place?.onNavigate).toHaveBeenCalledWith(`/chats/${FIRST_AGENT}`);
  },
};
