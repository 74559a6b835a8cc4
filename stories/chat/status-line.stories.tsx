import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { StatusLine } from "@/components/chat/status-line";
import type { ChatError, ErrorKind } from "@/contract/chat-error";
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

const createError = (error: Partial<ChatError>) => ({
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
  args: { activity: { kind: "idle" }, onRetry: fn(), isRetrying: false, now: NOW },
} satisfies Meta<typeof StatusLine>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Idle: Story = {};
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
    activity: { kind: "requires-action", calls: 2, deadlineAt: "2026-03-13T11:00:00.000Z" },
  },
};
export const Overloaded: Story = {
  args: {
    activity: createError({
      kind: "overloaded",
      message: "The provider is overloaded.",
      provider: "anthropic",
      status_code: 529,
    }),
  },
};
export const RateLimited: Story = { args: { activity: createError({ kind: "rate_limit" }) } };
export const TimedOut: Story = { args: { activity: createError({ kind: "timeout" }) } };
export const Stalled: Story = { args: { activity: createError({ kind: "stalled" }) } };
export const AuthFailed: Story = { args: { activity: createError({ kind: "auth" }) } };
export const QuotaReached: Story = { args: { activity: createError({ kind: "quota" }) } };
export const Misconfigured: Story = { args: { activity: createError({ kind: "config" }) } };
export const MissingKey: Story = { args: { activity: createError({ kind: "missing_key" }) } };
export const ContentFiltered: Story = {
  args: { activity: createError({ kind: "content_filter" }) },
};
export const ContextOverflow: Story = {
  args: { activity: createError({ kind: "context_overflow" }) },
};
export const Failed: Story = { args: { activity: createError({}) } };
export const FailedWithDetail: Story = {
  args: { activity: createError({ detail: "upstream connect error: reset before headers" }) },
};
export const Retrying: Story = { args: { activity: createError({}), isRetrying: true } };

export const TestRetry: Story = {
  name: "(Test) An error is announced with its reason and Retry calls onRetry",
  ...Overloaded,
  play: async ({ args, canvas, userEvent }) => {
    const alert = canvas.getByRole("alert");
    await expect(alert).toHaveTextContent("Service overloaded");
    await expect(alert).toHaveTextContent("HTTP 529");
    await userEvent.click(canvas.getByRole("button", { name: "Retry" }));
    await expect(args.onRetry).toHaveBeenCalledTimes(1);
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
  name: "(Test) A required action shows the number of answers and the time left",
  ...RequiresAction,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent(
      "Waiting for you · 2 answers needed",
    );
    await expect(canvas.getByText("22h 59m")).toBeVisible();
  },
};
