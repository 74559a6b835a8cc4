import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { StatusLine } from "@/components/chat/status-line";
import type { ErrorKind } from "@/contract/chat-error";
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

export const Idle: Story = {};
export const Agents: Story = { args: { activity: { kind: "agents" } } };
export const OneReport: Story = { args: { activity: { kind: "reports", count: 1 } } };
export const Reports: Story = { args: { activity: { kind: "reports", count: 3 } } };
export const Thinking: Story = { args: { activity: { kind: "thinking", since: SINCE } } };
export const ThinkingSlowly: Story = {
  args: { activity: { kind: "thinking", since: "2026-03-12T11:59:49.000Z" } },
};
export const RunningTools: Story = {
  args: { activity: { kind: "tools", names: ["read_file", "list_directory"] } },
};
export const Answering: Story = { args: { activity: { kind: "answering" } } };
export const RetryingOverloaded: Story = { args: { activity: createRetrying("overloaded") } };
export const RetryingTimeout: Story = { args: { activity: createRetrying("timeout") } };
export const RetryingStalled: Story = { args: { activity: createRetrying("stalled") } };
export const RetryingGeneric: Story = { args: { activity: createRetrying("generic") } };
export const Reconnecting: Story = { args: { activity: { kind: "reconnecting" } } };
export const Interrupting: Story = { args: { activity: { kind: "interrupting" } } };
export const RequiresAction: Story = {
  args: {
    activity: { kind: "requires-action", calls: 2 },
  },
};
export const TestCountdownNotAnnounced: Story = {
  name: "(Test) A retry announces its reason and attempt but not the countdown",
  ...RetryingTimeout,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent(/^Request timed out · Attempt 2$/);
    await expect(canvas.getByText("7s")).toBeVisible();
  },
};

export const TestThinkingSlowly: Story = {
  name: "(Test) After 15 seconds of thinking, the text says that it takes longer",
  ...ThinkingSlowly,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent("taking longer");
  },
};

export const TestRequiresAction: Story = {
  name: "(Test) A required action is announced; its form shows it",
  ...RequiresAction,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent(
      "Waiting for you · 2 answers needed",
    );
    await expect(canvas.getByText(/^Waiting for you/)).toHaveClass("sr-only");
  },
};

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

export const TestReports: Story = {
  name: "(Test) Reports that the model has not read are counted",
  ...Reports,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent("3 reports wait.");
  },
};
