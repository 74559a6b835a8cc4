import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Countdown } from "@/components/ui/countdown";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const NOW = Date.parse("2026-03-12T12:00:00Z");

const meta = {
  component: Countdown,
  args: { now: NOW, until: "2026-03-12T12:00:07Z" },
} satisfies Meta<typeof Countdown>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Seconds: {},
  Minutes: { args: { until: "2026-03-12T12:02:05Z" } },
  Hours: { args: { until: "2026-03-13T11:00:00Z" } },
  Expired: { args: { until: "2026-03-12T11:00:00Z" } },
  "The remaining time is shown": {
    play: async ({ canvas }) => {
      await expect(canvas.getByText("7s")).toBeVisible();
    },
  },
});

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say next to it what ends.",
        example: (
          <p>
            Time left:{" "}
            <Countdown
              until="2026-03-12T12:01:30.000Z"
              now={Date.parse("2026-03-12T12:00:00.000Z")}
            />
          </p>
        ),
      },
    ],
    donts: [
      {
        text: "Do not let it stand alone, or only as a color.",
        example: (
          <Countdown
            until="2026-03-12T12:01:30.000Z"
            now={Date.parse("2026-03-12T12:00:00.000Z")}
          />
        ),
      },
    ],
  }),
};
