import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ReactNode, useState } from "react";
import { expect, fireEvent, fn, waitFor } from "storybook/test";
import { Composer } from "@/components/forms/composer";
import { ModelPicker } from "@/components/forms/model-picker";
import { Controlled } from "./controlled";

/** Renders a button next to the composer that can be removed. */
const WithRemovableButton = ({ children }: { children: ReactNode }) => {
  const [isVisible, setVisible] = useState(true);
  return (
    <>
      <button onClick={() => setVisible(!isVisible)}>Show or hide</button>
      {isVisible && <button onClick={() => setVisible(false)}>Hide me</button>}
      {children}
    </>
  );
};

const models = [
  {
    id: "0197a1f0-0000-7000-8000-000000000001",
    provider: "demo" as const,
    model: "demo",
    name: "Demo model",
    context_limit: 32_000,
    enabled: true,
    is_default: true,
  },
];

const meta = {
  component: Composer,
  render: (args) => (
    <Controlled {...args}>{(control) => <Composer {...args} {...control} />}</Controlled>
  ),
  args: {
    value: "",
    status: "waiting",
    queuedCount: 0,
    isSending: false,
    onChange: fn(),
    onSend: fn(),
    onStop: fn(),
    onEscape: fn(),
    onPromoteFirst: fn(),
    modelPicker: (
      <ModelPicker models={models} value={models[0]?.id ?? null} onChange={() => undefined} />
    ),
  },
} satisfies Meta<typeof Composer>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Empty: Story = {};
export const WithDraft: Story = { args: { value: "Where is order A-10432?" } };
export const ManyLines: Story = {
  args: { value: Array.from({ length: 60 }, (_, index) => `Line ${index + 1}`).join("\n") },
};
export const LongWord: Story = { args: { value: "https://example.com/".repeat(30) } };
export const Sending: Story = { args: { value: "On its way", isSending: true } };
export const Running: Story = { args: { status: "running", value: "And then?" } };
export const Stopping: Story = { args: { status: "interrupting" } };
export const WaitingForAnswers: Story = { args: { status: "requires_action" } };
export const AfterError: Story = { args: { status: "error" } };
export const TooLong: Story = { args: { value: "x".repeat(200_120) } };
export const SendFailed: Story = {
  args: { value: "One more", error: "The queue is full: at most 20 messages can wait." },
};
export const Disabled: Story = {
  args: { disabledReason: "This chat is archived. Unarchive it to write." },
};

export const TestEnterSends: Story = {
  name: "(Test) Enter sends, Shift+Enter breaks the line",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    const height = message.clientHeight;
    await userEvent.type(message, "one{Shift>}{Enter}{/Shift}two");
    await expect(message).toHaveValue("one\ntwo");
    await expect(message.clientHeight).toBeGreaterThan(height);
    await expect(args.onSend).not.toHaveBeenCalled();
    await userEvent.type(message, "{Enter}");
    await expect(args.onSend).toHaveBeenCalledWith("one\ntwo", "queue");
  },
};

export const TestInputMethod: Story = {
  ...WithDraft,
  name: "(Test) Enter and Escape of an input method do nothing",
  play: async ({ args, canvas }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await fireEvent.keyDown(message, { key: "Enter", isComposing: true });
    await fireEvent.keyDown(message, { key: "Escape", isComposing: true });
    await expect(args.onSend).not.toHaveBeenCalled();
    await expect(args.onEscape).not.toHaveBeenCalled();
  },
};

export const TestBlank: Story = {
  name: "(Test) Blank text cannot be sent",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await expect(canvas.getByRole("button", { name: "Send" })).toBeDisabled();
    await userEvent.type(message, "  {Enter}");
    await expect(args.onSend).not.toHaveBeenCalled();
    await expect(canvas.getByRole("button", { name: "Send" })).toBeDisabled();
    await userEvent.type(message, "x");
    await userEvent.click(canvas.getByRole("button", { name: "Send" }));
    await expect(args.onSend).toHaveBeenCalledWith("  x", "queue");
  },
};

export const TestQueueWhileRunning: Story = {
  ...Running,
  name: "(Test) While a turn runs, Enter queues and Ctrl+Enter interrupts",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.type(message, "{Enter}");
    await expect(args.onSend).toHaveBeenLastCalledWith("And then?", "queue");
    await userEvent.type(message, "{Control>}{Enter}{/Control}");
    await expect(args.onSend).toHaveBeenLastCalledWith("And then?", "interrupt");
  },
};

export const TestCtrlEnterWhileIdle: Story = {
  ...WithDraft,
  name: "(Test) Without a running turn, Ctrl+Enter sends",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.type(message, "{Control>}{Enter}{/Control}");
    await expect(args.onSend).toHaveBeenCalledWith("Where is order A-10432?", "queue");
  },
};

export const TestStop: Story = {
  ...Running,
  name: "(Test) Stop calls onStop, Escape calls onEscape",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Stop" }));
    await expect(args.onStop).toHaveBeenCalledTimes(1);
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "{Escape}");
    await expect(args.onEscape).toHaveBeenCalledTimes(1);
  },
};

export const TestStopping: Story = {
  ...Stopping,
  name: "(Test) Stop is disabled while the turn stops",
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: "Stopping" })).toBeDisabled();
  },
};

export const TestPromoteFirst: Story = {
  args: { status: "running", queuedCount: 2 },
  name: "(Test) Enter without text sends the first queued message",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "{Enter}");
    await expect(args.onPromoteFirst).toHaveBeenCalledTimes(1);
    await expect(args.onSend).not.toHaveBeenCalled();
  },
};

export const TestTooLong: Story = {
  ...TooLong,
  name: "(Test) A text that is too long shows the excess and is not sent",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await expect(message).toHaveAccessibleDescription("Too long by 120 characters.");
    message.focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onSend).not.toHaveBeenCalled();
  },
};

export const TestSendingOnce: Story = {
  ...Sending,
  name: "(Test) A message that is being sent is not sent again",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "{Enter}");
    await expect(args.onSend).not.toHaveBeenCalled();
  },
};

export const TestFocusFallback: Story = {
  ...Running,
  name: "(Test) Removing the focused element focuses the message field",
  decorators: (Shown) => (
    <WithRemovableButton>
      <Shown />
    </WithRemovableButton>
  ),
  play: async ({ canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    canvas.getByRole("button", { name: "Hide me" }).focus();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(message).toHaveFocus());
    const other = canvas.getByRole("button", { name: "Show or hide" });
    await userEvent.click(other);
    await userEvent.click(other);
    await expect(canvas.queryByRole("button", { name: "Hide me" })).toBeNull();
    await expect(other).toHaveFocus();
  },
};
