import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ReasoningDisclosure } from "@/components/chat/reasoning-disclosure";
import { showStates } from "../show-states";

const part = {
  type: "reasoning" as const,
  text: "The **notes** come first.",
  started_at: "2026-03-12T12:00:00.000Z",
};

const meta = {
  component: ReasoningDisclosure,
  args: { part, isStreaming: false },
} satisfies Meta<typeof ReasoningDisclosure>;
export default meta;
type Story = StoryObj<typeof meta>;

const done: Story = {
  args: { part: { ...part, completed_at: "2026-03-12T12:00:07.000Z" } },
};

export const Long: Story = {
  args: { part: { ...part, text: `The notes come first. ${"notes".repeat(100)}` } },
  globals: { viewport: { value: "mobile1" } },
};

const expectHeading = (heading: string, state: Story): Story => ({
  ...state,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: heading, expanded: false })).toBeVisible();
  },
});

export const States: Story = showStates(meta, {
  "Streaming: the heading is Reasoning…": expectHeading("Reasoning…", {
    args: { isStreaming: true },
  }),
  "Completed: its duration is shown": expectHeading("Reasoned for 7.0s", done),
  "Interrupted: no duration is shown": expectHeading("Reasoning", {}),
  "A duration under a second is not shown": expectHeading("Reasoning", {
    args: { part: { ...part, completed_at: "2026-03-12T12:00:00.400Z" } },
  }),
});

export const TestCollapsed: Story = {
  name: "(Test) The reasoning is collapsed until it is opened, then rendered as markdown",
  ...done,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.queryByText("notes")).toBeNull();
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    await expect(canvas.getByRole("button", { expanded: true })).toHaveFocus();
    await expect((await canvas.findByText("notes")).closest("p")).toHaveTextContent(
      "The notes come first.",
    );
    await userEvent.keyboard("{Enter}");
    await expect(canvas.queryByText("notes")).toBeNull();
  },
};

export const TestLong: Story = {
  name: "(Test) A long word does not overflow a phone screen",
  ...Long,
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole("button"));
    await expect(await canvas.findByText(/^The notes come first/)).toBeVisible();
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
