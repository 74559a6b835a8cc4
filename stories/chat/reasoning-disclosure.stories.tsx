import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ReasoningDisclosure } from "@/components/chat/reasoning-disclosure";

const part = {
  type: "reasoning" as const,
  text: "The **notes** come first.",
  started_at: "2026-03-12T12:00:00.000Z",
};

const meta = {
  component: ReasoningDisclosure,
  args: { part, streaming: false },
} satisfies Meta<typeof ReasoningDisclosure>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Streaming: Story = { args: { streaming: true } };
export const Done: Story = {
  args: { part: { ...part, completed_at: "2026-03-12T12:00:07.000Z" } },
};
export const CutShort: Story = {};
export const UnderASecond: Story = {
  args: { part: { ...part, completed_at: "2026-03-12T12:00:00.400Z" } },
};
export const Long: Story = {
  args: { part: { ...part, text: `The notes come first. ${"notes".repeat(100)}` } },
  globals: { viewport: { value: "mobile1" } },
};

const isHeaded = (heading: string, state: Story): Story => ({
  ...state,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: heading, expanded: false })).toBeVisible();
  },
});
export const TestStreaming: Story = {
  name: "(Test) While the model thinks, the line says so",
  ...isHeaded("Reasoning…", Streaming),
};
export const TestDone: Story = {
  name: "(Test) Afterwards it says how long that took",
  ...isHeaded("Reasoned for 7.0s", Done),
};
export const TestCutShort: Story = {
  name: "(Test) What was cut short took no time that is known",
  ...isHeaded("Reasoning", CutShort),
};
export const TestUnderASecond: Story = {
  name: "(Test) Less than a second is not worth a word",
  ...isHeaded("Reasoning", UnderASecond),
};

export const TestFolded: Story = {
  name: "(Test) The thoughts are folded away until they are asked for, then formatted",
  ...Done,
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
  name: "(Test) A word without end stays within a phone’s width",
  ...Long,
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole("button"));
    await expect(await canvas.findByText(/^The notes come first/)).toBeVisible();
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
