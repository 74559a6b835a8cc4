import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Elapsed } from "@/components/tool-cards/elapsed";
import { showStates } from "../show-states";
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

const shows = (text: string, state: Story): Story => ({
  ...state,
  play: async ({ canvas }) => {
    await expect(canvas.getByText(text)).toBeVisible();
  },
});

const showsNothing = (state: Story): Story => ({
  ...state,
  play: async ({ canvasElement }) => {
    await expect(canvasElement).toHaveTextContent(/^$/);
  },
});

export const States: Story = showStates(meta, {
  "Running: how long it has been": shows("4.0s", {}),
  "Completed: how long it took, whatever the time is now": shows("2.4s", {
    args: { completedAt: "2026-03-12T12:00:02.400Z" },
  }),
  "Minutes are shown with seconds": shows("3m 05s", {
    args: { completedAt: "2026-03-12T12:03:05.000Z" },
  }),
  "Hours are shown with minutes": shows("2h 07m", {
    args: { completedAt: "2026-03-12T14:07:00.000Z" },
  }),
  "Less than a second is not shown": showsNothing({
    args: { completedAt: "2026-03-12T12:00:00.999Z" },
  }),
  "A start in the future shows no duration": showsNothing({
    args: { completedAt: "2026-03-12T11:59:58.000Z" },
  }),
  "An invalid start shows no duration": showsNothing({ args: { startedAt: "yesterday" } }),
});

export const TestTicks: Story = {
  name: "(Test) The duration advances while the call runs",
  args: { now: undefined },
  play: async ({ canvas }) => {
    const { now: clock } = Date;
    try {
      Date.now = () => NOW;
      await expect(await canvas.findByText("4.0s")).toBeVisible();
      Date.now = () => NOW + 57_000;
      await expect(await canvas.findByText("1m 01s")).toBeVisible();
    } finally {
      Date.now = clock;
    }
  },
};

/** The duration is hidden on a phone. */
export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas }) => {
    await expect(canvas.getByText("4.0s")).not.toBeVisible();
  },
};
