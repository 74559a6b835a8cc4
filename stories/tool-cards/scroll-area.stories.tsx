import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ScrollArea } from "@/components/tool-cards/scroll-area";
import { showStates } from "../show-states";

const meta = {
  component: ScrollArea,
  args: { label: "Question", children: <p>Is the channel deep enough?</p> },
} satisfies Meta<typeof ScrollArea>;
export default meta;
type Story = StoryObj<typeof meta>;

const long: Story = {
  args: { children: <p>{"Is the channel deep enough? ".repeat(200)}</p> },
};
const longWord: Story = { args: { children: <p>{"deep".repeat(200)}</p> } };

export const States: Story = showStates(meta, {
  Short: {},
  Long: long,
  "Long word": longWord,
  "Is as high as a short text": {
    play: async ({ canvas }) => {
      const area = canvas.getByRole("group", { name: "Question" });
      await expect(area.clientHeight).toBe(canvas.getByText(/channel/).offsetHeight);
    },
  },
});

export const Narrow: Story = { ...long, globals: { viewport: { value: "mobile1" } } };

export const TestLong: Story = {
  name: "(Test) Long text scrolls within a limited height",
  ...Narrow,
  play: async ({ canvas }) => {
    const area = canvas.getByRole("group", { name: "Question" });
    await expect(area.clientHeight).toBeLessThanOrEqual(256);
    await expect(area.scrollHeight).toBeGreaterThan(area.clientHeight);
    area.scrollTop = area.scrollHeight;
    await expect(area.scrollTop).toBe(area.scrollHeight - area.clientHeight);
  },
};

export const TestLongWord: Story = {
  name: "(Test) A long word does not widen the page",
  ...longWord,
  globals: Narrow.globals ?? {},
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Tab focuses it, so that keys can scroll it",
  ...long,
  play: async ({ canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("group", { name: "Question" })).toHaveFocus();
  },
};
