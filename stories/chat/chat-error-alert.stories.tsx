import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ChatErrorAlert } from "@/components/chat/chat-error-alert";
import type { ChatError } from "@/contract/chat-error";

const createError = (error: Partial<ChatError>): ChatError => ({
  kind: "generic",
  message: "The model could not be reached.",
  retryable: true,
  ...error,
});

const meta = {
  component: ChatErrorAlert,
  args: { error: createError({}), onRetry: fn(), isRetrying: false },
} satisfies Meta<typeof ChatErrorAlert>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Overloaded: Story = {
  args: {
    error: createError({
      kind: "overloaded",
      message: "The provider is overloaded.",
      provider: "anthropic",
      status_code: 529,
    }),
  },
};
export const RateLimited: Story = { args: { error: createError({ kind: "rate_limit" }) } };
export const TimedOut: Story = { args: { error: createError({ kind: "timeout" }) } };
export const Stalled: Story = { args: { error: createError({ kind: "stalled" }) } };
export const AuthFailed: Story = { args: { error: createError({ kind: "auth" }) } };
export const QuotaReached: Story = { args: { error: createError({ kind: "quota" }) } };
export const Misconfigured: Story = { args: { error: createError({ kind: "config" }) } };
export const MissingKey: Story = { args: { error: createError({ kind: "missing_key" }) } };
export const ContentFiltered: Story = {
  args: { error: createError({ kind: "content_filter" }) },
};
export const ContextOverflow: Story = {
  args: { error: createError({ kind: "context_overflow" }) },
};
export const Failed: Story = { args: { error: createError({}) } };
export const FailedWithDetail: Story = {
  args: { error: createError({ detail: "upstream connect error: reset before headers" }) },
};
export const Retrying: Story = { args: { error: createError({}), isRetrying: true } };

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
