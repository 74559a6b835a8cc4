import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { FileText, Lightbulb } from "lucide-react";
import { expect } from "storybook/test";
import type { CardState } from "@/components/tool-cards/card-state";
import { CARD_STATES } from "@/test/card-states";
import { ToolCard } from "@/components/tool-cards/tool-card";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";

const call = {
  tool_name: "read_file",
  kind: "builtin" as const,
  args: { path: "notes/tides.md" },
  args_text: '{"path":"notes/ti',
  output: "3 lines",
};
const completed = callInState(call, "completed");

const meta = {
  component: ToolCard,
  args: {
    part: completed,
    now: NOW,
    icon: FileText,
    label: "Read file",
    detail: "notes/tides.md",
    children: <p>What lies behind the line.</p>,
  },
} satisfies Meta<typeof ToolCard>;
export default meta;
type Story = StoryObj<typeof meta>;

const inState = (state: CardState): Story => ({ args: { part: callInState(call, state) } });

const openState: Story = { args: { defaultOpen: true } };

const tides = { id: "a2", name: "tides.csv", media_type: "text/csv", size: 2_100 };
const withFile: Story = {
  args: { part: { ...completed, artifacts: [tides] }, defaultOpen: true },
};
const longLabel: Story = {
  args: { label: "Look up the harbour master of every port ".repeat(4), detail: undefined },
};
const longDetail: Story = { args: { detail: `notes/${"very-deep/".repeat(20)}tides.md` } };

export const States: Story = showStates(meta, {
  Streaming: inState("streaming"),
  Running: inState("running"),
  "Awaiting result": inState("awaiting_result"),
  Claimed: inState("claimed"),
  "Awaiting approval": inState("awaiting_approval"),
  "Awaiting agents": inState("awaiting_agents"),
  Completed: inState("completed"),
  Failed: inState("error"),
  Cancelled: inState("cancelled"),
  "Timed out": inState("timed_out"),
  Denied: inState("denied"),
  Open: openState,
  "Without detail": { args: { detail: undefined } },
  "A tool's own mark replaces the state's": {
    args: { mark: { word: "Guidance ready", icon: Lightbulb, tone: "text-success" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button")).toHaveAccessibleName(/2\.4s Guidance ready$/);
    },
  },
  "A card with text for the person starts open": {
    args: { part: { ...completed, for_user: "Three lines." } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { expanded: true })).toBeVisible();
    },
  },
  "A silent call stays closed": {
    args: { part: { ...completed, for_user: "Three lines.", silent: true } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button")).toHaveAttribute("aria-expanded", "false");
    },
  },
  "With file": withFile,
  "Long label": longLabel,
  "Long detail": longDetail,
});

export const Narrow: Story = {
  ...longDetail,
  args: { ...longDetail.args, part: callInState(call, "timed_out") },
  globals: { viewport: { value: "mobile1" } },
};
const LINE: Record<CardState, string> = {
  streaming: "Read file notes/tides.md Preparing",
  running: "Read file notes/tides.md 4.0s Running",
  awaiting_result: "Read file notes/tides.md Needs you",
  claimed: "Read file notes/tides.md Being worked on",
  awaiting_approval: "Read file notes/tides.md Needs approval",
  awaiting_agents: "Read file notes/tides.md 4.0s Waiting for agents",
  completed: "Read file notes/tides.md 2.4s Done",
  error: "Read file notes/tides.md 2.4s Failed",
  cancelled: "Read file notes/tides.md 2.4s Cancelled",
  timed_out: "Read file notes/tides.md 2.4s Timed out",
  denied: "Read file notes/tides.md 2.4s Denied",
};

export const TestLine: Story = {
  name: "(Test) The line shows label, detail, duration and state, but no duration before the call runs",
  render: (args) => (
    <ul className="grid gap-2">
      {CARD_STATES.map((state) => (
        <li key={state}>
          <ToolCard {...args} part={callInState(call, state)} />
        </li>
      ))}
    </ul>
  ),
  play: async ({ canvas }) => {
    const lines = canvas.getAllByRole("button");
    await expect(lines).toHaveLength(CARD_STATES.length);
    for (const [index, line] of lines.entries()) {
      const state = CARD_STATES[index] ?? "running";
      await expect(line).toHaveAccessibleName(LINE[state]);
      await expect(line).toHaveAttribute("aria-expanded", "false");
    }
  },
};

export const TestOpens: Story = {
  name: "(Test) Opens and closes, and exposes its state",
  play: async ({ canvas, userEvent }) => {
    const line = canvas.getByRole("button", { name: /^Read file notes\/tides\.md/ });
    await expect(canvas.queryByText("What lies behind the line.")).toBeNull();
    await userEvent.click(line);
    await expect(line).toHaveAttribute("aria-expanded", "true");
    await expect(canvas.getByText("What lies behind the line.")).toBeVisible();
    const body = document.getElementById(line.getAttribute("aria-controls") ?? "");
    await expect(body).toHaveTextContent("What lies behind the line.");
    await userEvent.click(line);
    await expect(line).toHaveAttribute("aria-expanded", "false");
    await expect(canvas.queryByText("What lies behind the line.")).toBeNull();
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Tab focuses the line, Enter opens it, Space closes it, and the focus stays",
  play: async ({ canvas, userEvent }) => {
    await userEvent.tab();
    const line = canvas.getByRole("button", { expanded: false });
    await expect(line).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(line).toHaveAttribute("aria-expanded", "true");
    await userEvent.keyboard(" ");
    await expect(line).toHaveAttribute("aria-expanded", "false");
    await expect(line).toHaveFocus();
  },
};

export const TestDefaultOpen: Story = {
  name: "(Test) A card that starts open can be closed",
  ...openState,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { expanded: true }));
    await expect(canvas.queryByText("What lies behind the line.")).toBeNull();
  },
};

export const TestWithFile: Story = {
  name: "(Test) An open card links to the files of its call",
  ...withFile,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole("link", { name: /^tides\.csv/ })).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { expanded: true }));
    await expect(canvas.queryByRole("link")).toBeNull();
  },
};

const isTruncated = (text: HTMLElement): boolean => text.scrollWidth > text.clientWidth;

export const TestLongDetail: Story = {
  name: "(Test) A closed card truncates a long detail, an open one shows it whole",
  ...longDetail,
  play: async ({ canvas, userEvent }) => {
    const detail = canvas.getByText(/very-deep/);
    await expect(isTruncated(detail)).toBe(true);
    await userEvent.click(canvas.getByRole("button"));
    await expect(isTruncated(detail)).toBe(false);
  },
};

export const TestLongLabel: Story = {
  name: "(Test) A closed card truncates a long label, an open one shows it whole",
  ...longLabel,
  play: async ({ canvas, userEvent }) => {
    const label = canvas.getByText(/^Look up the harbour master/);
    await expect(isTruncated(label)).toBe(true);
    await userEvent.click(canvas.getByRole("button"));
    await expect(isTruncated(label)).toBe(false);
  },
};

export const TestNarrow: Story = {
  name: "(Test) On a phone the line shows its label and its state without overlap",
  ...Narrow,
  play: async ({ canvas, canvasElement, userEvent }) => {
    const line = canvas.getByRole("button");
    for (const press of ["closed", "open"]) {
      const label = canvas.getByText("Read file").getBoundingClientRect();
      const state = canvas.getByText("Timed out").getBoundingClientRect();
      await expect(label.right, press).toBeLessThanOrEqual(state.left);
      await expect(state.right, press).toBeLessThanOrEqual(line.getBoundingClientRect().right);
      await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
      await userEvent.click(line);
    }
  },
};

export const TestChanged: Story = {
  name: "(Test) Shows what the model asked for when a person has changed it",
  args: { part: { ...completed, approved_args: { path: "notes/winds.md" } }, defaultOpen: true },
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/the model asked for/)).toBeVisible();
    await expect(canvas.getByText(/notes\/tides\.md"/)).toBeVisible();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say in the line what the call did, with the thing that it is about.",
        example: <p>Read file · notes/tides.md</p>,
      },
      { text: "Keep the line and the mark of the state the same in all cards." },
    ],
    donts: [
      {
        text: "Do not show JSON where the tool has words for it.",
        example: <p className="font-mono text-xs">{'{"path":"notes/tides.md"}'}</p>,
      },
      { text: "Do not show a call as done that did not succeed." },
    ],
  }),
};
