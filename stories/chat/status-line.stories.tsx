import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { StatusLine } from "@/components/chat/status-line";
import type { ErrorKind } from "@/contract/chat-error";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";
import { NOW } from "./fixtures";

const SINCE = "2026-03-12T12:00:00.000Z";

const createRetrying = (kind: ErrorKind) => ({
  kind: "retrying" as const,
  retry: {
    attempt: 2,
    delay_ms: 8_000,
    retrying_at: "2026-03-12T12:00:11.000Z",
    kind,
    message: "The provider is busy.",
  },
});

const meta = {
  component: StatusLine,
  args: { activity: { kind: "idle" }, now: NOW },
} satisfies Meta<typeof StatusLine>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "At rest": {},
  "Awaiting agents": { args: { activity: { kind: "agents" } } },
  "One report": { args: { activity: { kind: "reports", count: 1 } } },
  "Reports that the model has not read are counted": {
    args: { activity: { kind: "reports", count: 3 } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent("3 reports wait.");
    },
  },
  Thinking: { args: { activity: { kind: "thinking", since: SINCE } } },
  "After 15 seconds of thinking, the text says that it takes longer": {
    args: { activity: { kind: "thinking", since: "2026-03-12T11:59:49.000Z" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent(
        /^Thinking… this is taking longer than usual$/,
      );
      await expect(canvas.getByText("15s")).toBeVisible();
    },
  },
  "A wait of minutes says how long it is": {
    args: { activity: { kind: "thinking", since: "2026-03-12T11:55:00.000Z" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("5m 04s")).toBeVisible();
    },
  },
  "Summing up": { args: { activity: { kind: "compacting", part: 1, parts: 1 } } },
  "A summary of several parts says how far it is": {
    args: { activity: { kind: "compacting", part: 2, parts: 3 } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent(
        "Summing up what came before… (2 of 3)",
      );
    },
  },
  "Running tools": {
    args: { activity: { kind: "tools", names: ["read_file", "list_directory"] } },
  },
  Streaming: { args: { activity: { kind: "answering" } } },
  "Retrying overloaded": { args: { activity: createRetrying("overloaded") } },
  "A retry announces its reason and attempt but not the countdown": {
    args: { activity: createRetrying("timeout") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent(/^Request timed out · Attempt 2$/);
      await expect(canvas.getByText("7s")).toBeVisible();
    },
  },
  "Retrying stalled": { args: { activity: createRetrying("stalled") } },
  "Retrying generic": { args: { activity: createRetrying("generic") } },
  Reconnecting: { args: { activity: { kind: "reconnecting" } } },
  Interrupting: { args: { activity: { kind: "interrupting" } } },
  "Needs you: it is announced, and its form shows it": {
    args: {
      activity: { kind: "requires-action", calls: 2 },
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent("Needs you · 2 answers");
      await expect(canvas.getByText(/^Needs you/)).toHaveClass("sr-only");
    },
  },
});

export const TestPlaceIsKept: Story = {
  name: "(Test) The line is as high without a status as with one",
  render: ({ now }) => (
    <>
      <StatusLine activity={{ kind: "idle" }} {...(now !== undefined && { now })} />
      <StatusLine activity={{ kind: "answering" }} {...(now !== undefined && { now })} />
      <StatusLine activity={{ kind: "interrupting" }} {...(now !== undefined && { now })} />
    </>
  ),
  play: async ({ canvasElement }) => {
    const lines = [...canvasElement.querySelectorAll("[role=status]")];
    const heights = lines.map((line) => line.parentElement?.getBoundingClientRect().height);
    await expect(new Set(heights)).toEqual(new Set([28]));
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say in one sentence what is going on, at one place.",
        example: <StatusLine activity={{ kind: "tools", names: ["web_fetch"] }} />,
      },
    ],
    donts: [
      { text: "Do not move anything when the status changes: the line keeps its height." },
      { text: "Do not announce seconds or tokens to screen readers." },
    ],
  }),
};
