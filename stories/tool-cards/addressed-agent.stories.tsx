import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { AddressedAgent } from "@/components/tool-cards/addressed-agent";
import { FIRST_AGENT } from "./agents";
import { createCalls } from "./call-in-state";

const callTo = (id: string) => createCalls("interrupt_agent", { chat_id: id })("running");

const meta = {
  component: AddressedAgent,
  args: { ...callTo(FIRST_AGENT), place: { onNavigate: fn() } },
} satisfies Meta<typeof AddressedAgent>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Known: Story = {};
export const NoId: Story = { args: callTo("pino") };
export const LongId: Story = { args: callTo("x".repeat(300)) };
export const Writing: Story = { args: createCalls("interrupt_agent", {}, "{")("streaming") };

export const TestKnown: Story = {
  name: "(Test) An id opens the agent's chat",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("link", { name: "Open the agent's chat" }));
    await expect(args.place?.onNavigate).toHaveBeenCalledWith(`/chats/${FIRST_AGENT}`);
  },
};

export const TestNoId: Story = {
  name: "(Test) What is no id of a chat is no link",
  ...NoId,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("No chat has the id “pino”.")).toBeVisible();
    await expect(canvas.queryByRole("link")).toBeNull();
  },
};

export const TestWriting: Story = {
  name: "(Test) Nothing is shown until the id is written",
  ...Writing,
  play: async ({ canvasElement }) => {
    await expect(canvasElement).toHaveTextContent("");
  },
};
