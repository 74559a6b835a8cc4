import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ComposerActions } from "@/components/composer/composer-actions";
import { showStates } from "../show-states";

const meta = {
  component: ComposerActions,
  args: { stop: "none", onStop: fn(), onSend: fn(), canSend: true, isSending: false },
} satisfies Meta<typeof ComposerActions>;
export default meta;
type Story = StoryObj<typeof meta>;

const nothingToSend: Story = { args: { canSend: false } };
const runningWithText: Story = { args: { stop: "possible" } };
const stopping: Story = { args: { stop: "pending" } };

export const States: Story = showStates(meta, {
  Filled: {},
  Empty: nothingToSend,
  Sending: { args: { canSend: false, isSending: true } },
  Running: { args: { stop: "possible", canSend: false } },
  "Running, filled": runningWithText,
  Interrupting: stopping,
});

export const TestSend: Story = {
  name: "(Test) Without a running turn there is only Send",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getAllByRole("button")).toHaveLength(1);
    await userEvent.click(canvas.getByRole("button", { name: "Send" }));
    await expect(args.onSend).toHaveBeenCalledTimes(1);
  },
};

export const TestNothingToSend: Story = {
  name: "(Test) Send is disabled without text",
  ...nothingToSend,
  play: async ({ args, canvas, userEvent }) => {
    const send = canvas.getByRole("button", { name: "Send" });
    await expect(send).toBeDisabled();
    await userEvent.click(send);
    await expect(args.onSend).not.toHaveBeenCalled();
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Tab reaches Stop before Send, and both work with the keyboard",
  ...runningWithText,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Stop" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onStop).toHaveBeenCalledTimes(1);
    await expect(args.onSend).not.toHaveBeenCalled();
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    await expect(args.onSend).toHaveBeenCalledTimes(1);
  },
};

export const TestStopping: Story = {
  name: "(Test) While a turn stops, Send is enabled and Stop disabled",
  ...stopping,
  play: async ({ args, canvas, userEvent }) => {
    const stop = canvas.getByRole("button", { name: "Stopping" });
    await expect(stop).toBeDisabled();
    await userEvent.click(stop);
    await expect(args.onStop).not.toHaveBeenCalled();
    await expect(canvas.getByRole("button", { name: "Send" })).toBeEnabled();
  },
};
