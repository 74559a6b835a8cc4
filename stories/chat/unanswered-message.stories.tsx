import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { UnansweredMessage } from "@/components/chat/unanswered-message";
import { showStates } from "../show-states";

const meta = {
  component: UnansweredMessage,
  args: { onAnswer: fn(), isBusy: false },
} satisfies Meta<typeof UnansweredMessage>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "At rest": {},
  Busy: { args: { isBusy: true } },
});

export const TestAnswer: Story = {
  name: "(Test) The button asks for an answer",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Answer" }));
    await expect(args.onAnswer).toHaveBeenCalledTimes(1);
  },
};
