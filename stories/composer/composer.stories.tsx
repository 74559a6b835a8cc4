import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, type ReactNode, useState } from "react";
import { expect, fireEvent, fn, screen, waitFor, within } from "storybook/test";
import { Composer } from "@/components/composer/composer";
import { AnswerSettings } from "@/components/composer/answer-settings";
import { ModelPicker } from "@/components/composer/model-picker";
import { Controlled } from "../schema-form/controlled";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";
import { FAILED, PHOTO, REPORT, SENDING, TABLE } from "./attachment-fixtures";
import { COMMANDS, GONE, KNOWN, READ_FILE, readAgain, REVIEW } from "./mention-fixtures";

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

/** Renders a button that starts a turn of the chat. */
const WithTurn = (props: ComponentProps<typeof Composer>) => {
  const [isRunning, setRunning] = useState(false);
  return (
    <>
      <button onClick={() => setRunning(true)}>Start a turn</button>
      <Composer {...props} status={isRunning ? "running" : "waiting"} />
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
    tool_protocol: "native" as const,
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
    isQueuePaused: false,
    openCalls: 0,
    isSending: false,
    onChange: fn(),
    onSend: fn(),
    onStop: fn(),
    onEscape: fn(),
    onPromoteFirst: fn(),
    modelPicker: (
      <ModelPicker models={models} value={models[0]?.id ?? null} onChange={() => undefined} />
    ),
    answerSettings: (
      <AnswerSettings
        model={models[0]}
        chosen={{ reasoning_effort: "high" }}
        onChange={() => undefined}
      />
    ),
  },
} satisfies Meta<typeof Composer>;
export default meta;
type Story = StoryObj<typeof meta>;

const withDraft: Story = { args: { value: "Where is order A-10432?" } };
const sending: Story = { args: { value: "On its way", isSending: true } };
const running: Story = { args: { status: "running", value: "And then?" } };
const waitingForAnswers: Story = { args: { status: "requires_action", openCalls: 2 } };
const waitingForText: Story = {
  args: {
    status: "requires_action",
    openCalls: 1,
    onUseAsAnswer: fn(),
    value: "Yes, we may refund it.",
  },
};
const tooLong: Story = { args: { value: "x".repeat(200_120) } };

const ATTACHMENTS = {
  items: [PHOTO, REPORT, TABLE],
  onAdd: fn(),
  onRemove: fn(),
  onRetry: fn(),
  onMove: fn(),
};

const NO_MENTIONS = { known: KNOWN, chosen: [], onChoose: fn(), onRemove: fn() };

export const States: Story = showStates(meta, {
  Empty: {},
  Filled: withDraft,
  "Many lines": {
    args: { value: Array.from({ length: 60 }, (_, index) => `Line ${index + 1}`).join("\n") },
  },
  "Long word": { args: { value: "https://example.com/".repeat(30) } },
  "With tools of the provider": {
    args: {
      ...withDraft.args,
      answerSettings: (
        <AnswerSettings
          model={models[0] && { ...models[0], provider_tools: ["web_search", "code_execution"] }}
          chosen={{ provider_tools: ["web_search"] }}
          onChange={() => undefined}
        />
      ),
    },
  },
  Sending: sending,
  Running: running,
  "Interrupting: the button to stop is disabled": {
    args: { status: "interrupting" },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Stopping" })).toBeDisabled();
    },
  },
  "Awaiting agents": {
    args: { status: "awaiting_agents", value: "And then?" },
    play: async ({ canvas }) => {
      await expect(canvas.queryByText(/Messages wait/)).toBeNull();
    },
  },
  "Needs you: the form states the wait, and the composer does not repeat it": {
    ...waitingForAnswers,
    play: async ({ canvas }) => {
      const message = canvas.getByRole("textbox", { name: "Message" });
      await expect(message).not.toHaveAccessibleDescription();
      await expect(message).toHaveAttribute(
        "placeholder",
        "Answer above, or write the next message",
      );
    },
  },
  "Needs you, text": waitingForText,
  "Awaiting programs: as in a turn that works, since no call waits for the person": {
    args: { status: "requires_action", value: "And then?" },
    play: async ({ canvas }) => {
      const message = canvas.getByRole("textbox", { name: "Message" });
      await expect(message).toHaveAttribute("placeholder", "Write the next message");
      await expect(message).toHaveAccessibleDescription(/^Messages wait for the answer to end/);
    },
  },
  "Paused: the note says what becomes of the queue": {
    args: { queuedCount: 2, isQueuePaused: true },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Message" })).toHaveAccessibleDescription(
        "A message sent now comes first, then the queue goes on.",
      );
    },
  },
  "At rest, after an error": { args: { status: "error" } },
  "Too long": tooLong,
  Failed: {
    args: { value: "One more", error: "The queue is full: at most 20 messages can wait." },
  },
  "With files": { args: { value: "Look at this", attachments: ATTACHMENTS } },
  "Files only": { args: { attachments: { ...ATTACHMENTS, items: [PHOTO] } } },
  "Sending files": {
    args: { value: "Look at this", attachments: { ...ATTACHMENTS, items: [PHOTO, SENDING] } },
  },
  "A file failed": {
    args: { value: "Look at this", attachments: { ...ATTACHMENTS, items: [FAILED] } },
  },
  "Chosen tools": {
    args: { value: "Look at this", mentions: { ...NO_MENTIONS, chosen: [REVIEW, READ_FILE] } },
  },
  "Chosen group gone": {
    args: { value: "Look at this", mentions: { ...NO_MENTIONS, chosen: [GONE] } },
  },
  Disabled: { args: { disabledReason: "Restore it to write a message." } },
});

export const TestRows: Story = {
  name: "(Test) The text has one row with the buttons until they do not fit next to it",
  play: async ({ canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    const send = canvas.getByRole("button", { name: "Send" });
    const isNextToSend = (): boolean =>
      message.getBoundingClientRect().right <= send.getBoundingClientRect().left;
    await expect(isNextToSend()).toBe(true);
    await userEvent.type(message, "one");
    await expect(isNextToSend()).toBe(true);
    await userEvent.type(message, " and more".repeat(25));
    await expect(isNextToSend()).toBe(false);
    await expect(message.getBoundingClientRect().right).toBeGreaterThan(
      send.getBoundingClientRect().left,
    );
    await userEvent.clear(message);
    await expect(isNextToSend()).toBe(true);
  },
};

export const TestStopAppears: Story = {
  name: "(Test) Stop appears without moving the other buttons",
  render: (args) => <WithTurn {...args} />,
  play: async ({ canvas, userEvent }) => {
    const readPlaces = () =>
      [
        canvas.getByRole("combobox", { name: "Model" }),
        canvas.getByRole("button", { name: "Send" }),
      ].map((button) => button.getBoundingClientRect().left);
    const places = readPlaces();
    await userEvent.click(canvas.getByRole("button", { name: "Start a turn" }));
    await expect(canvas.getByRole("button", { name: "Stop" })).toBeVisible();
    await expect(readPlaces()).toEqual(places);
  },
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
  ...withDraft,
  name: "(Test) Enter and Escape of an input method do nothing",
  play: async ({ args, canvas }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await fireEvent.keyDown(message, { key: "Enter", isComposing: true });
    // Safari ends the composition before the key that ended it.
    await fireEvent.keyDown(message, { key: "Enter", keyCode: 229 });
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
  ...running,
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
  ...withDraft,
  name: "(Test) Without a running turn, Ctrl+Enter sends",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.type(message, "{Control>}{Enter}{/Control}");
    await expect(args.onSend).toHaveBeenCalledWith("Where is order A-10432?", "queue");
  },
};

export const TestStop: Story = {
  ...running,
  name: "(Test) Stop calls onStop, Escape calls onEscape",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Stop" }));
    await expect(args.onStop).toHaveBeenCalledTimes(1);
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "{Escape}");
    await expect(args.onEscape).toHaveBeenCalledTimes(1);
  },
};

export const TestEditLast: Story = {
  name: "(Test) The arrow key up edits the last message, but moves the caret in a text",
  args: { onEditLast: fn() },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("textbox", { name: "Message" }));
    await userEvent.keyboard("Wait{ArrowUp}");
    await userEvent.keyboard("{Shift>}{ArrowUp}{/Shift}");
    await expect(args.onEditLast).not.toHaveBeenCalled();
    await userEvent.clear(canvas.getByRole("textbox", { name: "Message" }));
    await userEvent.keyboard("{Control>}{ArrowUp}{/Control}");
    await expect(args.onEditLast).not.toHaveBeenCalled();
    await userEvent.keyboard("{ArrowUp}");
    await expect(args.onEditLast).toHaveBeenCalledOnce();
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

export const TestUseAsAnswer: Story = {
  ...waitingForText,
  name: "(Test) A text can be used as the answer of an open call, and Enter still queues it",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await expect(message).toHaveAccessibleDescription(
      "Sent now, this waits for the open calls to end.",
    );
    await userEvent.click(canvas.getByRole("button", { name: "Use this as the answer" }));
    await expect(args.onUseAsAnswer).toHaveBeenCalledWith("Yes, we may refund it.");
    await expect(args.onSend).not.toHaveBeenCalled();
    await userEvent.type(message, "{Enter}");
    await expect(args.onSend).toHaveBeenCalledWith("Yes, we may refund it.", "queue");
  },
};

export const TestCancelByKey: Story = {
  ...waitingForText,
  name: "(Test) Ctrl+Enter asks before it cancels open calls",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.type(message, "{Control>}{Enter}{/Control}");
    const dialog = await screen.findByRole("alertdialog", { name: "Cancel the open call?" });
    await waitFor(() => expect(screen.getByRole("button", { name: "Keep waiting" })).toHaveFocus());
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    await expect(args.onSend).not.toHaveBeenCalled();
    await waitFor(() => expect(message).toHaveFocus());
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await userEvent.click(await screen.findByRole("button", { name: "Cancel the call and send" }));
    await expect(args.onSend).toHaveBeenCalledWith("Yes, we may refund it.", "interrupt");
  },
};

export const TestCancelByStop: Story = {
  ...waitingForAnswers,
  name: "(Test) Stop asks before it cancels open calls",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Stop" }));
    await screen.findByRole("alertdialog", { name: "Cancel the 2 open calls?" });
    await expect(args.onStop).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole("button", { name: "Cancel the 2 calls and stop" }));
    await expect(args.onStop).toHaveBeenCalledTimes(1);
  },
};

export const TestUnknownCommand: Story = {
  args: { value: "/compact everything" },
  name: "(Test) An unknown command is sent only after a question",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.type(message, "{Enter}");
    const dialog = await screen.findByRole("alertdialog", { name: "There is no command /compact" });
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    await expect(message).toHaveValue("/compact everything");
    await expect(args.onSend).not.toHaveBeenCalled();
    await userEvent.click(canvas.getByRole("button", { name: "Send" }));
    await userEvent.click(await screen.findByRole("button", { name: "Send as a message" }));
    await expect(args.onSend).toHaveBeenCalledWith("/compact everything", "queue");
  },
};

export const TestPath: Story = {
  args: { value: "/etc/hosts has a wrong line" },
  name: "(Test) A path is no command",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "{Enter}");
    await expect(args.onSend).toHaveBeenCalledTimes(1);
  },
};

export const TestTooLong: Story = {
  ...tooLong,
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
  ...sending,
  name: "(Test) A message that is being sent is not sent again",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "{Enter}");
    await expect(args.onSend).not.toHaveBeenCalled();
  },
};

export const TestFocusFallback: Story = {
  ...running,
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

export const TestMention: Story = {
  args: { mentions: { ...NO_MENTIONS, chosen: [READ_FILE] } },
  name: "(Test) Enter chooses the mentioned group, and the next one sends the rest",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
    await userEvent.type(message, "@rev{Enter}");
    await expect(args.mentions?.onChoose).toHaveBeenCalledWith(REVIEW);
    await expect(args.onSend).not.toHaveBeenCalled();
    readAgain(message);
    await userEvent.type(message, "Look{Enter}");
    await expect(args.onSend).toHaveBeenCalledWith("@review Look", "queue");
    await userEvent.click(canvas.getByRole("button", { name: "Remove read_file" }));
    await expect(args.mentions?.onRemove).toHaveBeenCalledWith(READ_FILE);
  },
};

export const TestKnownCommand: Story = {
  args: { commands: { known: COMMANDS, notices: [] } },
  name: "(Test) A command of a server is sent; another one is asked about first",
  play: async ({ args, canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.type(message, "/weather:gone now{Enter}");
    const dialog = await screen.findByRole("alertdialog", {
      name: "There is no command /weather:gone",
    });
    await userEvent.click(within(dialog).getByRole("button", { name: "Keep editing" }));
    await expect(args.onSend).not.toHaveBeenCalled();
    await userEvent.clear(message);
    await userEvent.type(message, "/weather:guide.md What is new?{Enter}");
    await expect(args.onSend).toHaveBeenCalledWith("/weather:guide.md What is new?", "queue");
  },
};

const GONE_COMMAND = "/weather:gone now";

export const TestMissingServer: Story = {
  args: {
    value: GONE_COMMAND,
    commands: {
      known: [],
      notices: [
        'The MCP server "weather" is not connected. It has ended.',
        'The MCP server "news" is not connected.',
      ],
    },
  },
  name: "(Test) The question about a command says why its server has none",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "{Enter}");
    const dialog = await screen.findByRole("alertdialog", {
      name: "The command /weather:gone is not available",
    });
    await expect(dialog).toHaveAccessibleDescription(
      'The MCP server "weather" is not connected. It has ended. Send the text to the model as it is, or change it first.',
    );
    await userEvent.click(within(dialog).getByRole("button", { name: "Send as a message" }));
    await expect(args.onSend).toHaveBeenCalledWith(GONE_COMMAND, "queue");
  },
};

export const TestCommandsNotLoaded: Story = {
  args: {
    value: GONE_COMMAND,
    commands: { known: [], notices: [], problem: "The server cannot be reached." },
  },
  name: "(Test) The question about a command says that the commands could not be loaded",
  play: async ({ canvas, userEvent }) => {
    const message = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.type(message, "{Enter}");
    const dialog = await screen.findByRole("alertdialog", {
      name: "The commands could not be loaded",
    });
    await expect(dialog).toHaveTextContent("The server cannot be reached.");
    await userEvent.click(within(dialog).getByRole("button", { name: "Keep editing" }));
    await userEvent.clear(message);
    // No server has a command without its name.
    await userEvent.type(message, "/compact{Enter}");
    await screen.findByRole("alertdialog", { name: "There is no command /compact" });
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Keep the button of what is done next at one place, so that a press never hits another.",
      },
      { text: "Say what becomes of a message that is sent while a turn runs." },
    ],
    donts: [{ text: "Do not empty the field before the message is stored." }],
  }),
};

export const TestFiles: Story = {
  args: { attachments: { ...ATTACHMENTS, items: [PHOTO] } },
  name: "(Test) A message may have only files, and pasted files are added",
  play: async ({ args, canvas, userEvent }) => {
    const field = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.click(field);
    await userEvent.keyboard("{Enter}");
    await expect(args.onSend).toHaveBeenCalledWith("", "queue");
    const file = new File(["x"], "pasted.png", { type: "image/png" });
    const transfer = new DataTransfer();
    transfer.items.add(file);
    await userEvent.paste(transfer);
    await expect(ATTACHMENTS.onAdd).toHaveBeenCalledWith([file]);
    transfer.setData("text/plain", "cells of a table");
    await userEvent.paste(transfer);
    await expect(ATTACHMENTS.onAdd).toHaveBeenCalledTimes(1);
  },
};

export const TestUnsentFiles: Story = {
  args: { value: "Look", attachments: { ...ATTACHMENTS, items: [PHOTO, SENDING] } },
  name: "(Test) A message waits until its files are on the server",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("button", { name: "Send" })).toBeDisabled();
    await userEvent.click(canvas.getByRole("textbox", { name: "Message" }));
    await userEvent.keyboard("{Enter}");
    await expect(args.onSend).not.toHaveBeenCalled();
  },
};
