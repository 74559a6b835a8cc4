import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Countdown } from "@/components/ui/countdown";

const NOW = Date.parse("2026-03-12T12:00:00Z");

const meta = {
  component: Countdown,
  args: { now: NOW, until: "2026-03-12T12:00:07Z" },
} satisfies Meta<typeof Countdown>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Seconds: Story = {};
export const Minutes: Story = { args: { until: "2026-03-12T12:02:05Z" } };
export const Hours: Story = { args: { until: "2026-03-13T11:00:00Z" } };
export const Expired: Story = { args: { until: "2026-03-12T11:00:00Z" } };

export const TestRemaining: Story = {
  name: "(Test) The remaining time is shown",
  play: async ({ canvas }) => {
    await expect(canvas.getByText("7s")).toBeVisible();
  },
};
