import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { Lightbulb } from "lucide-react";
import { expect } from "storybook/test";
import type { CardState } from "@/components/tool-cards/card-state";
import { CARD_STATES } from "@/test/card-states";
import { StateMark } from "@/components/tool-cards/state-mark";
import { showStates } from "../show-states";

const meta = { component: StateMark, args: { state: "running" } } satisfies Meta<typeof StateMark>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Running: {},
  "A tool's own mark replaces the state's": {
    args: {
      state: "completed",
      mark: { word: "Guidance ready", icon: Lightbulb, tone: "text-success" },
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Guidance ready")).toBeVisible();
      await expect(canvas.queryByText("Done")).toBeNull();
    },
  },
  "Running, own mark": {
    args: { mark: { word: "Consulting", icon: "spinner", tone: "text-accent" } },
  },
  "Needs you: the word is for screen readers only": {
    args: { state: "awaiting_result" },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Needs you")).toHaveClass("sr-only");
    },
  },
});

const WORD: Record<CardState, string> = {
  streaming: "Preparing",
  running: "Running",
  awaiting_result: "Needs you",
  claimed: "Being worked on",
  awaiting_approval: "Needs approval",
  awaiting_agents: "Waiting for agents",
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
  name: "(Test) Each state has its own word",
  render: allStates,
  play: async ({ canvas }) => {
    const words = canvas.getAllByRole("listitem").map((item) => item.textContent);
    await expect(words).toEqual(CARD_STATES.map((state) => WORD[state]));
    for (const word of words) await expect(canvas.getByText(word)).toBeVisible();
  },
};

export const TestShapes: Story = {
  name: "(Test) Each state has its own icon, hidden from screen readers",
  render: allStates,
  play: async ({ canvas, canvasElement }) => {
    const shapes = [...canvasElement.querySelectorAll("svg")].map((sign) => sign.innerHTML);
    await expect(new Set(shapes).size).toBe(CARD_STATES.length);
    await expect(canvas.queryByRole("img")).toBeNull();
  },
};
