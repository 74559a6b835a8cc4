import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Deadline } from "@/components/answers/deadline";
import { showStates } from "../show-states";

const meta = {
  component: Deadline,
  args: { at: "2026-11-21T13:20:00Z", now: Date.parse("2026-11-21T10:00:00Z") },
} satisfies Meta<typeof Deadline>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Hours: {},
  Days: { args: { at: "2026-11-24T11:00:00Z" } },
  Urgent: { args: { at: "2026-11-21T10:01:35Z" } },
  "Last second": { args: { at: "2026-11-21T10:00:01Z" } },
  "Time is up": { args: { at: "2026-11-21T09:59:00Z" } },
  "An expired deadline shows no countdown": {
    args: { at: "2026-11-21T10:00:00Z" },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Time is up")).toBeVisible();
      await expect(canvas.queryByRole("time")).toBeNull();
    },
  },
});

export const TestRemaining: Story = {
  name: "(Test) Shows the remaining time and the date of the deadline",
  play: async ({ args, canvas }) => {
    const remaining = canvas.getByText("3h 20m");
    await expect(remaining.parentElement).toHaveTextContent(/^Answer within 3h 20m$/);
    await expect(remaining).toHaveAttribute("datetime", args.at);
    await expect(remaining).toHaveAttribute("title", new Date(args.at).toLocaleString());
  },
};

export const TestUrgent: Story = {
  name: "(Test) The last five minutes are highlighted",
  render: (args) => (
    <>
      <Deadline {...args} at="2026-11-21T10:05:00Z" />
      <Deadline {...args} at="2026-11-21T10:04:59Z" />
    </>
  ),
  play: async ({ canvas }) => {
    const getColor = (text: string) => getComputedStyle(canvas.getByText(text)).color;
    await expect(getColor("4m 59s")).not.toBe(getColor("5m 00s"));
  },
};

export const TestTimePasses: Story = {
  name: "(Test) The countdown ends by the clock of the browser",
  render: () => <Deadline at={new Date(Date.now() + 1_000).toISOString()} />,
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/^Answer within/)).toBeVisible();
    await expect(await canvas.findByText("Time is up")).toBeVisible();
  },
};
