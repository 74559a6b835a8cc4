import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { Lightbulb } from "lucide-react";
import { expect } from "storybook/test";
import { CARD_STATES, type CardState } from "@/components/tool-cards/card-state";
import { StateMark } from "@/components/tool-cards/state-mark";

const meta = { component: StateMark, args: { state: "running" } } satisfies Meta<typeof StateMark>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Running: Story = {};
export const ToolsOwn: Story = {
  args: {
    state: "completed",
    mark: { word: "Guidance ready", icon: Lightbulb, tone: "text-success" },
  },
};
export const ToolsOwnAtWork: Story = {
  args: { mark: { word: "Consulting", icon: "spinner", tone: "text-accent" } },
};

const WORD: Record<CardState, string> = {
  streaming: "Preparing",
  running: "Running",
  awaiting_result: "Waiting for you",
  awaiting_approval: "Needs approval",
  completed: "Done",
  error: "Failed",
  cancelled: "Cancelled",
  timed_out: "Timed out",
  denied: "Denied",
};

const allStates = () => (
  <ul className="grid gap-1">
    {CARD_STATES.map((state) => (
      <li key={state}>
        <StateMark state={state} />
      </li>
    ))}
  </ul>
);

export const TestWords: Story = {
  name: "(Test) Each state is said in words of its own",
  render: allStates,
  play: async ({ canvas }) => {
    const words = canvas.getAllByRole("listitem").map((item) => item.textContent);
    await expect(words).toEqual(CARD_STATES.map((state) => WORD[state]));
    for (const word of words) await expect(canvas.getByText(word)).toBeVisible();
  },
};

export const TestShapes: Story = {
  name: "(Test) Each state has a sign of its own shape, which is not read out",
  render: allStates,
  play: async ({ canvas, canvasElement }) => {
    const shapes = [...canvasElement.querySelectorAll("svg")].map((sign) => sign.innerHTML);
    await expect(new Set(shapes).size).toBe(CARD_STATES.length);
    await expect(canvas.queryByRole("img")).toBeNull();
  },
};

export const TestToolsOwn: Story = {
  name: "(Test) A tool's own mark stands in for the state's",
  ...ToolsOwn,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("Guidance ready")).toBeVisible();
    await expect(canvas.queryByText("Done")).toBeNull();
  },
};
