import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import ChatErrorAlert from "@/components/chat/chat-error-alert";
import type { ChatError } from "@/contract/chat-error";
import { showStates } from "../show-states";

const createError = (error: Partial<ChatError>): ChatError => ({
  kind: "generic",
  message: "The model could not be reached.",
  retryable: true,
  ...error,
});

const meta = {
  component: ChatErrorAlert,
  args: { error: createError({}), onRetry: fn(), isRetrying: false, onNavigate: fn() },
} satisfies Meta<typeof ChatErrorAlert>;
export default meta;
type Story = StoryObj<typeof meta>;

const overloaded: Story = {
  args: {
    error: createError({
      kind: "overloaded",
      message: "The provider is overloaded.",
      provider: "anthropic",
      status_code: 529,
    }),
  },
};

export const States: Story = showStates(meta, {
  Overloaded: overloaded,
  "Rate limited": { args: { error: createError({ kind: "rate_limit" }) } },
  "Timed out": { args: { error: createError({ kind: "timeout" }) } },
  Stalled: { args: { error: createError({ kind: "stalled" }) } },
  "Auth failed": { args: { error: createError({ kind: "auth" }) } },
  "Quota reached": { args: { error: createError({ kind: "quota" }) } },
  Misconfigured: { args: { error: createError({ kind: "config" }) } },
  "Missing key": { args: { error: createError({ kind: "missing_key" }) } },
  "Content filtered": { args: { error: createError({ kind: "content_filter" }) } },
  "Context overflow": { args: { error: createError({ kind: "context_overflow" }) } },
  Failed: { args: { error: createError({}) } },
  "Failed with detail": {
    args: { error: createError({ detail: "upstream connect error: reset before headers" }) },
  },
  Retrying: { args: { error: createError({}), isRetrying: true } },
});

export const TestRetry: Story = {
  name: "(Test) An error is announced with its reason and Retry calls onRetry",
  ...overloaded,
  play: async ({ args, canvas, userEvent }) => {
    const alert = canvas.getByRole("alert");
    await expect(alert).toHaveTextContent("Service overloaded");
    await expect(alert).toHaveTextContent("HTTP 529");
    await userEvent.click(canvas.getByRole("button", { name: "Retry" }));
    await expect(args.onRetry).toHaveBeenCalledTimes(1);
  },
};

export const TestLink: Story = {
  name: "(Test) A remedy on the page of models links to it",
  args: {
    error: createError({
      kind: "config",
      message:
        "The server is refusing tools. Let the model call tools as XML, in Settings > Models.",
    }),
    onNavigate: fn(),
  },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("link", { name: "Settings > Models" }));
    await expect(args.onNavigate).toHaveBeenCalledWith("/settings/models");
  },
};

export const TestModelsPage: Story = {
  name: "(Test) A sentence links the page of models, which opens without a load",
  args: {
    error: createError({ message: "Let the model call tools as XML, in Settings > Models." }),
  },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("link", { name: "Settings > Models" }));
    await expect(args.onNavigate).toHaveBeenCalledWith("/settings/models");
  },
};
