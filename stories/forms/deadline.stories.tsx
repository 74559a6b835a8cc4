import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Deadline } from "@/components/forms/deadline";

const meta = {
  component: Deadline,
  args: { at: "2026-11-21T13:20:00Z", now: Date.parse("2026-11-21T10:00:00Z") },
} satisfies Meta<typeof Deadline>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Hours: Story = {};
export const Days: Story = { args: { at: "2026-11-24T11:00:00Z" } };
export const LittleTimeLeft: Story = { args: { at: "2026-11-21T10:01:35Z" } };
export const LastSecond: Story = { args: { at: "2026-11-21T10:00:01Z" } };
export const TimeIsUp: Story = { args: { at: "2026-11-21T09:59:00Z" } };

export const TestLeft: Story = {
  name: "(Test) Says what is left, and of which moment",
  play: async ({ args, canvas }) => {
    const left = canvas.getByText("3h 20m");
    await expect(left.parentElement).toHaveTextContent(/^Answer within 3h 20m$/);
    await expect(left).toHaveAttribute("datetime", args.at);
    await expect(left).toHaveAttribute("title", new Date(args.at).toLocaleString());
  },
};

export const TestUrgent: Story = {
  name: "(Test) With less than five minutes left it stands out, without other words",
  render: (args) => (
    <>
      <Deadline {...args} at="2026-11-21T10:05:00Z" />
      <Deadline {...args} at="2026-11-21T10:04:59Z" />
    </>
  ),
  play: async ({ canvas }) => {
    const colour = (left: string) => getComputedStyle(canvas.getByText(left)).color;
    await expect(colour("4m 59s")).not.toBe(colour("5m 00s"));
  },
};

export const TestTimeIsUp: Story = {
  name: "(Test) When it is over, nothing is left to count",
  args: { at: "2026-11-21T10:00:00Z" },
  play: async ({ canvas }) => {
    await expect(canvas.getByText("Time is up")).toBeVisible();
    await expect(canvas.queryByRole("time")).toBeNull();
  },
};

export const TestTimePasses: Story = {
  name: "(Test) By the browser’s clock the time runs out",
  render: () => <Deadline at={new Date(Date.now() + 1_000).toISOString()} />,
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/^Answer within/)).toBeVisible();
    await expect(await canvas.findByText("Time is up", {}, { timeout: 5_000 })).toBeVisible();
  },
};
