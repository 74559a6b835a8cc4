import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ForkButton } from "@/components/chat/fork-button";
import { showStates } from "../show-states";

const meta = { component: ForkButton, args: { onFork: fn() } } satisfies Meta<typeof ForkButton>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, { Default: {} });

export const TestFork: Story = {
  name: "(Test) The button branches, by keyboard too",
  play: async ({ args, canvas, userEvent }) => {
    canvas.getByRole("button", { name: "Branch from here" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onFork).toHaveBeenCalledTimes(1);
  },
};
