import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { useState } from "react";
import { expect, fn, screen, waitFor } from "storybook/test";
import { MessageList } from "@/components/chat/message-list";
import {
  assistantMessage,
  CONVERSATION,
  id,
  longConversation,
  messageActions,
  NOW,
  text,
} from "./fixtures";

const meta = {
  component: MessageList,
  args: {
    messages: CONVERSATION,
    actions: messageActions,
    isTurnRunning: false,
    hasOlder: false,
    isLoadingOlder: false,
    onLoadOlder: fn(),
    now: NOW,
  },
  // The list fills a column with a fixed height, as on the page.
  render: (args) => (
    <div className="flex h-[600px] flex-col">
      <MessageList {...args} />
    </div>
  ),
} satisfies Meta<typeof MessageList>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Conversation: Story = {};
export const Editing: Story = { args: { actions: { ...messageActions, editingId: id(1) } } };
export const Streaming: Story = {
  args: {
    isTurnRunning: true,
    messages: [
      ...CONVERSATION.slice(0, 2),
      { ...assistantMessage(3, [text("The window on Saturday is **09:40 to")]), preview: true },
    ],
  },
};
export const HasOlder: Story = { args: { hasOlder: true } };
export const LoadingOlder: Story = { args: { hasOlder: true, isLoadingOlder: true } };
export const Long: Story = { args: { messages: longConversation(500) } };

const isAtEnd = (log: HTMLElement): boolean =>
  Math.abs(log.scrollHeight - log.clientHeight - log.scrollTop) < 3;

/** Scrolls away from the end; repeats if the list was still scrolling to its end. */
const scrollAwayFromEnd = (log: HTMLElement, top: number) =>
  waitFor(async () => {
    log.scrollTop = top;
    await expect(screen.getByRole("button", { name: "Jump to latest" })).toBeVisible();
  });

export const TestOpensAtEnd: Story = {
  name: "(Test) The list opens at its end and Jump to latest returns there",
  args: { messages: longConversation(20) },
  play: async ({ canvas, userEvent }) => {
    const log = canvas.getByRole("log", { name: "Messages" });
    await waitFor(() => expect(isAtEnd(log)).toBe(true));
    await expect(canvas.queryByRole("button", { name: "Jump to latest" })).toBeNull();
    await scrollAwayFromEnd(log, 0);
    await userEvent.click(canvas.getByRole("button", { name: "Jump to latest" }));
    await waitFor(() => expect(isAtEnd(log)).toBe(true));
  },
};

const Growing = (args: Parameters<typeof MessageList>[0]) => {
  const [extra, setExtra] = useState(0);
  return (
    <div className="flex h-[600px] flex-col">
      <button type="button" onClick={() => setExtra(extra + 1)}>
        Grow
      </button>
      <MessageList {...args} messages={[...args.messages, ...longConversation(extra * 3, 100)]} />
    </div>
  );
};

export const TestFollowsEnd: Story = {
  name: "(Test) The list follows its end only while the reader is there",
  args: { messages: longConversation(20) },
  render: (args) => <Growing {...args} />,
  play: async ({ canvas, userEvent }) => {
    const log = canvas.getByRole("log");
    await waitFor(() => expect(isAtEnd(log)).toBe(true));
    await userEvent.click(canvas.getByRole("button", { name: "Grow" }));
    await canvas.findByText("Question 104");
    await waitFor(() => expect(isAtEnd(log)).toBe(true));
    await scrollAwayFromEnd(log, 200);
    await userEvent.click(canvas.getByRole("button", { name: "Grow" }));
    await canvas.findByText("Question 110");
    await expect(log.scrollTop).toBe(200);
  },
};

const Prepending = (args: Parameters<typeof MessageList>[0]) => {
  const [from, setFrom] = useState(101);
  return (
    <div className="flex h-[600px] flex-col">
      <MessageList
        {...args}
        hasOlder
        onLoadOlder={() => setFrom(from - 40)}
        messages={longConversation((201 - from) / 2, from)}
      />
    </div>
  );
};

const playScrollAnchor: NonNullable<Story["play"]> = async ({ canvas, userEvent }) => {
  const log = canvas.getByRole("log");
  await waitFor(() => expect(isAtEnd(log)).toBe(true));
  await scrollAwayFromEnd(log, 0);
  const first = await canvas.findByText("Question 101");
  const before = first.getBoundingClientRect().top;
  await userEvent.click(canvas.getByRole("button", { name: "Load older messages" }));
  await waitFor(() =>
    expect(
      Math.abs(canvas.getByText("Question 101").getBoundingClientRect().top - before),
    ).toBeLessThan(4),
  );
  await expect(log.scrollTop).toBeGreaterThan(500);
};

export const TestScrollAnchor: Story = {
  name: "(Test) Loading older messages does not move the visible ones",
  render: (args) => <Prepending {...args} />,
  play: playScrollAnchor,
};

export const TestCardStaysInPlace: Story = {
  name: "(Test) A card opened at the end stays under the pointer",
  args: { messages: [...longConversation(10, 10), ...CONVERSATION.slice(0, 2)] },
  play: async ({ canvas, userEvent }) => {
    const log = canvas.getByRole("log");
    await waitFor(() => expect(isAtEnd(log)).toBe(true));
    const card = canvas.getByRole("button", { name: /Lookup harbour/ });
    const before = card.getBoundingClientRect().top;
    await userEvent.click(card);
    await expect(await canvas.findByRole("group", { name: "Output" })).toBeInTheDocument();
    await canvas.findByRole("button", { name: "Jump to latest" });
    await expect(card.getBoundingClientRect().top).toBe(before);
  },
};

export const TestVirtualized: Story = {
  name: "(Test) A long chat renders fewer than 60 rows and starts at its end",
  ...Long,
  play: async ({ canvas, canvasElement }) => {
    const log = canvas.getByRole("log");
    await canvas.findByText("Question 999");
    await waitFor(() => expect(isAtEnd(log)).toBe(true));
    await expect(canvasElement.querySelectorAll("[data-message-id]").length).toBeLessThan(60);
    await scrollAwayFromEnd(log, 0);
    await expect(await canvas.findByText("Question 1")).toBeVisible();
  },
};

export const TestDimsLaterMessages: Story = {
  name: "(Test) While a message is edited, later messages are dimmed and inert",
  ...Editing,
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    const rows = [...canvasElement.querySelectorAll("[data-message-id]")];
    await expect(rows.map((row) => row.hasAttribute("inert"))).toEqual([false, true, true]);
    const box = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.clear(box);
    await userEvent.type(box, "And on Sunday?{Enter}");
    await expect(args.actions.onEditSave).toHaveBeenCalledWith(id(1), "And on Sunday?");
  },
};

export const TestRegenerate: Story = {
  name: "(Test) Only the last answer can be regenerated",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Regenerate answer" }));
    await expect(args.actions.onRegenerate).toHaveBeenCalledTimes(1);
  },
};

export const TestNotLive: Story = {
  name: "(Test) Screen readers do not announce streamed text",
  ...Streaming,
  play: async ({ canvas }) => {
    const log = canvas.getByRole("log");
    await expect(log).toHaveAttribute("aria-live", "off");
    await expect(log).toHaveAttribute("aria-busy", "true");
  },
};
