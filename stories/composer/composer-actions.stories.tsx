import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ComposerActions } from "@/components/composer/composer-actions";

const meta = {
  component: ComposerActions,
  args: { stop: "none", onStop: fn(), onSend: fn(), canSend: true, isSending: false },
} satisfies Meta<typeof ComposerActions>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Ready: Story = {};
export const NothingToSend: Story = { args: { canSend: false } };
export const Sending: Story = { args: { canSend: false, isSending: true } };
export const Running: Story = { args: { stop: "possible", canSend: false } };
export const RunningWithText: Story = { args: { stop: "possible" } };
export const Stopping: Story = { args: { stop: "pending" } };

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
  ...NothingToSend,
  play: async ({ args, canvas, userEvent }) => {
    const send = canvas.getByRole("button", { name: "Send" });
    await expect(send).toBeDisabled();
    await userEvent.click(send);
    await expect(args.onSend).not.toHaveBeenCalled();
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Tab reaches Stop before Send, and both work with the keyboard",
  ...RunningWithText,
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
  ...Stopping,
  play: async ({ args, canvas, userEvent }) => {
    const stop = canvas.getByRole("button", { name: "Stopping" });
    await expect(stop).toBeDisabled();
    await userEvent.click(stop);
    await expect(args.onStop).not.toHaveBeenCalled();
    await expect(canvas.getByRole("button", { name: "Send" })).toBeEnabled();
  },
};
