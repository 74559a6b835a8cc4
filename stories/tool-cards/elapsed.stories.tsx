import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Elapsed } from "@/components/tool-cards/elapsed";
import { NOW } from "./call-in-state";

const meta = {
  component: Elapsed,
  args: {
    startedAt: "2026-03-12T12:00:00.000Z",
    completedAt: undefined as string | undefined,
    now: NOW,
  },
} satisfies Meta<typeof Elapsed>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Running: Story = {};
export const Completed: Story = { args: { completedAt: "2026-03-12T12:00:02.400Z" } };
export const Minutes: Story = { args: { completedAt: "2026-03-12T12:03:05.000Z" } };
export const Hours: Story = { args: { completedAt: "2026-03-12T14:07:00.000Z" } };
export const UnderASecond: Story = { args: { completedAt: "2026-03-12T12:00:00.999Z" } };
export const EndedBeforeItBegan: Story = { args: { completedAt: "2026-03-12T11:59:58.000Z" } };
export const NoTime: Story = { args: { startedAt: "yesterday" } };
export const Narrow: Story = { globals: { viewport: { value: "mobile1" } } };

const shows = (text: string, state: Story): Story => ({
  ...state,
  play: async ({ canvas }) => {
    await expect(canvas.getByText(text)).toBeVisible();
  },
});
export const TestRunning: Story = {
  name: "(Test) A running call says how long it has been",
  ...shows("4.0s", Running),
};
export const TestCompleted: Story = {
  name: "(Test) What has ended says how long it took, whatever the time is now",
  ...shows("2.4s", Completed),
};
export const TestMinutes: Story = {
  name: "(Test) Minutes come with their seconds",
  ...shows("3m 05s", Minutes),
};
export const TestHours: Story = {
  name: "(Test) Hours come with their minutes",
  ...shows("2h 07m", Hours),
};

const showsNothing = (state: Story): Story => ({
  ...state,
  play: async ({ canvasElement }) => {
    await expect(canvasElement).toHaveTextContent(/^$/);
  },
});
export const TestUnderASecond: Story = {
  name: "(Test) Less than a second is not worth a word",
  ...showsNothing(UnderASecond),
};
export const TestEndedBeforeItBegan: Story = {
  name: "(Test) Clocks that disagree make no time",
  ...showsNothing(EndedBeforeItBegan),
};
export const TestNoTime: Story = {
  name: "(Test) A beginning that is no time makes none",
  ...showsNothing(NoTime),
};

/** A second and what a busy machine adds to it. */
const TICK = { timeout: 4_000 };

export const TestTicks: Story = {
  name: "(Test) While the call runs, its time goes on by itself",
  args: { now: undefined },
  play: async ({ canvas }) => {
    const { now: clock } = Date;
    try {
      Date.now = () => NOW;
      await expect(await canvas.findByText("4.0s", {}, TICK)).toBeVisible();
      Date.now = () => NOW + 57_000;
      await expect(await canvas.findByText("1m 01s", {}, TICK)).toBeVisible();
    } finally {
      Date.now = clock;
    }
  },
};

export const TestNarrow: Story = {
  name: "(Test) On a phone the time gives its place to the words",
  ...Narrow,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("4.0s")).not.toBeVisible();
  },
};
