import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import WorkLine from "@/components/chat/work-line";
import { showStates } from "../show-states";

const WORK = { isFinished: true, callCount: 6, workedMs: 5_200, outcomes: {} };

const meta = {
  component: WorkLine,
  args: { work: WORK, isOpen: false, onToggle: fn() },
} satisfies Meta<typeof WorkLine>;
export default meta;
type Story = StoryObj<typeof meta>;

const says = (text: string): NonNullable<Story["play"]> =>
  async function play({ canvas }) {
    await expect(canvas.getByRole("button")).toHaveAccessibleName(text);
  };

export const States: Story = showStates(meta, {
  Closed: { play: says("Worked 6 s · 6 steps") },
  Open: { args: { isOpen: true } },
  Running: {
    args: { isOpen: true, work: { ...WORK, isFinished: false, callCount: 1 } },
    play: says("Working · 1 step"),
  },
  "Less than a second": {
    args: { work: { ...WORK, callCount: 1, workedMs: 80 } },
    play: says("Worked 1 s · 1 step"),
  },
  Minutes: {
    args: { work: { ...WORK, workedMs: 185_000 } },
    play: says("Worked 3 min 5 s · 6 steps"),
  },
  Hours: {
    args: { work: { ...WORK, workedMs: 7_620_000 } },
    play: says("Worked 2 h 7 min · 6 steps"),
  },
  "Not all calls succeeded": {
    args: { work: { ...WORK, outcomes: { error: 2, denied: 1, timed_out: 1, cancelled: 1 } } },
    play: says("Worked 6 s · 6 steps · 2 failed · 1 denied · 1 timed out · 1 cancelled"),
  },
});

export const TestToggle: Story = {
  name: "(Test) The line asks to open the work",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { expanded: false }));
    await expect(args.onToggle).toHaveBeenCalledWith(true);
  },
};
