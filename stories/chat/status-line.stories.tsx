import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { StatusLine } from "@/components/chat/status-line";
import type { ChatError, ErrorKind } from "@/contract/chat-error";
import { NOW } from "./fixtures";

const SINCE = "2026-03-12T12:00:00.000Z";

const retrying = (kind: ErrorKind) => ({
  kind: "retrying" as const,
  retry: {
    attempt: 2,
    delay_ms: 8_000,
    retrying_at: "2026-03-12T12:00:11.000Z",
    kind,
    message: "The provider is busy.",
  },
});

const failed = (error: Partial<ChatError>) => ({
  kind: "error" as const,
  error: {
    kind: "generic" as const,
    message: "The model could not be reached.",
    retryable: true,
    ...error,
  },
});

const meta = {
  component: StatusLine,
  args: { activity: { kind: "idle" }, onRetry: fn(), retrying: false, now: NOW },
} satisfies Meta<typeof StatusLine>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Idle: Story = {};
export const Thinking: Story = { args: { activity: { kind: "thinking", since: SINCE } } };
export const TakingLonger: Story = {
  args: { activity: { kind: "thinking", since: "2026-03-12T11:59:49.000Z" } },
};
export const RunningTools: Story = {
  args: { activity: { kind: "tools", names: ["read_file", "list_directory"] } },
};
export const Answering: Story = { args: { activity: { kind: "answering" } } };
export const RetryingOverloaded: Story = { args: { activity: retrying("overloaded") } };
export const RetryingTimeout: Story = { args: { activity: retrying("timeout") } };
export const RetryingStalled: Story = { args: { activity: retrying("stalled") } };
export const RetryingGeneric: Story = { args: { activity: retrying("generic") } };
export const Reconnecting: Story = { args: { activity: { kind: "reconnecting" } } };
export const Interrupting: Story = { args: { activity: { kind: "interrupting" } } };
export const NeedsYou: Story = {
  args: {
    activity: { kind: "needs-you", calls: 2, deadlineAt: "2026-03-13T11:00:00.000Z" },
  },
};
export const Overloaded: Story = {
  args: {
    activity: failed({
      kind: "overloaded",
      message: "The provider is overloaded.",
      provider: "anthropic",
      status_code: 529,
    }),
  },
};
export const RateLimited: Story = { args: { activity: failed({ kind: "rate_limit" }) } };
export const TimedOut: Story = { args: { activity: failed({ kind: "timeout" }) } };
export const Stalled: Story = { args: { activity: failed({ kind: "stalled" }) } };
export const AuthFailed: Story = { args: { activity: failed({ kind: "auth" }) } };
export const QuotaReached: Story = { args: { activity: failed({ kind: "quota" }) } };
export const Misconfigured: Story = { args: { activity: failed({ kind: "config" }) } };
export const MissingKey: Story = { args: { activity: failed({ kind: "missing_key" }) } };
export const ContentFiltered: Story = { args: { activity: failed({ kind: "content_filter" }) } };
export const ContextOverflow: Story = { args: { activity: failed({ kind: "context_overflow" }) } };
export const Failed: Story = { args: { activity: failed({}) } };
export const FailedWithDetail: Story = {
  args: { activity: failed({ detail: "upstream connect error: reset before headers" }) },
};
export const RetryPressed: Story = { args: { activity: failed({}), retrying: true } };

export const TestRetry: Story = {
  name: "(Test) A failure is announced with its reason, and Retry is told",
  ...Overloaded,
  play: async ({ args, canvas, userEvent }) => {
    const alert = canvas.getByRole("alert");
    await expect(alert).toHaveTextContent("Service overloaded");
    await expect(alert).toHaveTextContent("HTTP 529");
    await userEvent.click(canvas.getByRole("button", { name: "Retry" }));
    await expect(args.onRetry).toHaveBeenCalledTimes(1);
  },
};

export const TestCountdownIsSilent: Story = {
  name: "(Test) A retry announces its reason and attempt, not its seconds",
  ...RetryingTimeout,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent(/^Request timed out · Attempt 2$/);
    await expect(canvas.getByText("7s")).toBeVisible();
  },
};

export const TestTakingLonger: Story = {
  name: "(Test) After 15 seconds the line says that it takes longer",
  ...TakingLonger,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent("taking longer");
  },
};

export const TestNeedsYou: Story = {
  name: "(Test) Waiting for you says how much and how long",
  ...NeedsYou,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent(
      "Waiting for you · 2 answers needed",
    );
    await expect(canvas.getByText("22h 59m")).toBeVisible();
  },
};
