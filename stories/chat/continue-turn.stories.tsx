import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import ContinueTurn from "@/components/chat/continue-turn";
import { showStates } from "../show-states";

const meta = {
  component: ContinueTurn,
  args: { onContinue: fn(), isContinuing: false, error: undefined },
} satisfies Meta<typeof ContinueTurn>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "At rest": {},
  Continuing: { args: { isContinuing: true } },
  Failed: { args: { error: "The server cannot be reached." } },
});

export const TestContinue: Story = {
  name: "(Test) The button continues the turn",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Continue" }));
    await expect(args.onContinue).toHaveBeenCalledTimes(1);
  },
};
