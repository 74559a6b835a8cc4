import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { useState } from "react";
import { expect, fireEvent, fn, screen, waitFor } from "storybook/test";
import { MessageList } from "@/components/chat/message-list";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";
import {
  assistantMessage,
  CONVERSATION,
  id,
  longConversation,
  messageActions,
  NOW,
  text,
  toolCall,
  userMessage,
} from "./fixtures";

type ListProps = Parameters<typeof MessageList>[0];

/** Keeps what the person opens, as the page does. */
const ListWithWork = ({ openTurns: initialTurns, actions, ...props }: ListProps) => {
  const [openTurns, setOpenTurns] = useState(initialTurns);
  const [rowActions] = useState({
    ...actions,
    onWorkToggle: (seq: number, isOpen: boolean) => {
      actions.onWorkToggle(seq, isOpen);
      setOpenTurns((turns) => ({ ...turns, [seq]: isOpen }));
    },
  });
  return <MessageList {...props} openTurns={openTurns} actions={rowActions} />;
};

const meta = {
  component: MessageList,
  args: {
    messages: CONVERSATION,
    actions: messageActions,
    isTurnRunning: false,
    hasOlder: false,
    isLoadingOlder: false,
    hasOlderFailed: false,
    onLoadOlder: fn(),
    target: undefined,
    onTarget: fn(),
    onTargetShown: fn(),
    openTurns: {},
    sentCount: 0,
    now: NOW,
  },
  // The list fills a column with a fixed height, as on the page.
  render: (args) => (
    <div className="flex h-[600px] flex-col">
      <ListWithWork {...args} />
    </div>
  ),
} satisfies Meta<typeof MessageList>;
export default meta;
type Story = StoryObj<typeof meta>;

/** A turn in which a call failed, and a file was delivered. */
const DELIVERY = [
  userMessage(1, "Put the tides of Oban into a table."),
  assistantMessage(
    2,
    [
      text("I fetch the tables."),
      toolCall("web_fetch", {
        args: { url: "https://tides.example/oban" },
        state: "error",
        is_error: true,
        output: "The host does not exist.",
      }),
    ],
    { finish_reason: "tool-calls" },
  ),
  assistantMessage(
    3,
    [
      text("The table is ready."),
      toolCall("deliver_file", {
        args: { path: "tides.csv" },
        output: "Delivered.",
        artifacts: [{ id: id(90), name: "tides.csv", media_type: "text/csv", size: 1_840 }],
      }),
    ],
    { finish_reason: "tool-calls" },
  ),
];

const editing: Story = { args: { actions: { ...messageActions, editingId: id(1) } } };
const long: Story = { args: { messages: longConversation(500) } };

export const States: Story = showStates(meta, {
  Conversation: {},
  "Completed: work of finished turns is folded": {
    play: async ({ canvas }) => {
      const line = await canvas.findByRole("button", { name: /^Worked/ });
      await expect(line).toHaveAttribute("aria-expanded", "false");
      await expect(line).toHaveTextContent("2 steps");
      await expect(canvas.getByText(/Leave the pontoon/)).toBeVisible();
      await expect(await canvas.findByText(/I'll look at your notes/)).not.toBeVisible();
    },
  },
  "Opened work": { args: { openTurns: { 2: true } } },
  "Running, work": {
    args: { messages: CONVERSATION.slice(0, 2), isTurnRunning: true },
    play: async ({ canvas }) => {
      const line = await canvas.findByRole("button", { name: "Working · 2 steps" });
      await expect(line).toHaveAttribute("aria-expanded", "true");
    },
  },
  "Delivered files and failures": {
    args: { messages: DELIVERY },
    play: async ({ canvas }) => {
      await expect(
        await canvas.findByRole("button", { name: /2 steps · 1 failed$/ }),
      ).toBeVisible();
      await expect(await canvas.findByText("Deliver file")).toBeVisible();
      await expect(canvas.getByText("The table is ready.")).toBeVisible();
      await expect(await canvas.findByText("Web fetch")).not.toBeVisible();
    },
  },
  Editing: editing,
  "Streaming: screen readers do not announce the text": {
    args: {
      isTurnRunning: true,
      messages: [
        ...CONVERSATION.slice(0, 2),
        { ...assistantMessage(3, [text("The window on Saturday is **09:40 to")]), preview: true },
      ],
    },
    play: async ({ canvas }) => {
      const log = canvas.getByRole("log");
      await expect(log).toHaveAttribute("aria-live", "off");
      await expect(log).toHaveAttribute("aria-busy", "true");
    },
  },
  "Has more": { args: { hasOlder: true } },
  "Loading more": { args: { hasOlder: true, isLoadingOlder: true } },
  Long: long,
});

const isAtEnd = (log: HTMLElement): boolean =>
  Math.abs(log.scrollHeight - log.clientHeight - log.scrollTop) < 3;

/** Scrolls away from the end; repeats if the list was still scrolling to its end. */
const scrollAwayFromEnd = (log: HTMLElement, top: number) =>
  waitFor(async () => {
    await fireEvent.keyDown(log, { key: "Home" });
    // The browser has no event for a position that is the same.
    if (log.scrollTop === top) log.scrollTop = top + 1;
    await new Promise(requestAnimationFrame);
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

export const TestTallContent: Story = {
  name: "(Test) Content that is higher than the view is shown from its head on, and a reader stays in it",
  args: {
    children: (
      <div data-scroll-head className="h-[1500px]">
        <h2>The head</h2>
        <textarea aria-label="Text" />
      </div>
    ),
  },
  play: async ({ canvas }) => {
    const log = canvas.getByRole("log");
    const head = canvas.getByRole("heading", { name: "The head" });
    const offset = () => head.getBoundingClientRect().top - log.getBoundingClientRect().top;
    await waitFor(() => expect(offset()).toBeGreaterThanOrEqual(0));
    await waitFor(() => expect(offset()).toBeLessThan(40));
    log.scrollTop += 200;
    const before = log.scrollTop;
    const text = canvas.getByRole("textbox", { name: "Text" });
    text.style.height = "400px";
    await waitFor(() => expect(text.clientHeight).toBeGreaterThan(300));
    await expect(log.scrollTop).toBe(before);
  },
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

export const TestLeavesEndWhileContentShrinks: Story = {
  name: "(Test) A reader who scrolls away while rows become lower has left the end",
  args: { messages: longConversation(20), children: <div data-testid="last" className="h-40" /> },
  play: async ({ canvas }) => {
    const log = canvas.getByRole("log");
    await waitFor(() => expect(isAtEnd(log)).toBe(true));
    await fireEvent.keyDown(log, { key: "Home" });
    log.scrollTop = 200;
    canvas.getByTestId("last").style.height = "40px";
    await canvas.findByRole("button", { name: "Jump to latest" });
    await expect(log.scrollTop).toBe(200);
  },
};

export const TestStaysAtEndWhileRowsAreCorrected: Story = {
  name: "(Test) A position that the list corrects itself is not left",
  args: { messages: longConversation(20), children: <div data-testid="last" className="h-40" /> },
  play: async ({ canvas }) => {
    const log = canvas.getByRole("log");
    await waitFor(() => expect(isAtEnd(log)).toBe(true));
    log.scrollTop -= 300;
    canvas.getByTestId("last").style.height = "400px";
    await waitFor(() => expect(isAtEnd(log)).toBe(true));
    await expect(canvas.queryByRole("button", { name: "Jump to latest" })).toBeNull();
  },
};

const Sending = (args: Parameters<typeof MessageList>[0]) => {
  const [sentCount, setSentCount] = useState(0);
  const sent = sentCount > 0 ? [userMessage(201, "My own message")] : [];
  return (
    <div className="flex h-[600px] flex-col">
      <button type="button" onClick={() => setSentCount(sentCount + 1)}>
        Send
      </button>
      <MessageList {...args} sentCount={sentCount} messages={[...args.messages, ...sent]} />
    </div>
  );
};

const playSent: NonNullable<Story["play"]> = async ({ canvas, userEvent }) => {
  const log = canvas.getByRole("log");
  await waitFor(() => expect(isAtEnd(log)).toBe(true));
  await scrollAwayFromEnd(log, 200);
  await userEvent.click(canvas.getByRole("button", { name: "Send" }));
  await canvas.findByText("My own message");
  await waitFor(() => expect(isAtEnd(log)).toBe(true));
};
export const TestSent: Story = {
  name: "(Test) The person's own message comes into view when it is sent",
  args: { messages: longConversation(20) },
  render: (args) => <Sending {...args} />,
  play: playSent,
};
export const TestSentInLongChat: Story = {
  ...TestSent,
  name: "(Test) As before in a chat of which few rows are rendered",
  args: { messages: longConversation(100) },
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

const playScrollAnchor: NonNullable<Story["play"]> = async ({ canvas }) => {
  const log = canvas.getByRole("log");
  await waitFor(() => expect(isAtEnd(log)).toBe(true));
  await scrollAwayFromEnd(log, 0);
  const first = await canvas.findByText("Question 101");
  const before = first.getBoundingClientRect().top;
  await waitFor(() => expect(log.scrollTop).toBeGreaterThan(500));
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
  args: {
    messages: [...longConversation(10, 10), ...CONVERSATION.slice(0, 2)],
    openTurns: { 2: true },
  },
  play: async ({ canvas, userEvent }) => {
    const log = canvas.getByRole("log");
    await waitFor(() => expect(isAtEnd(log)).toBe(true));
    const card = await canvas.findByRole("button", { name: /Lookup harbour/ });
    const before = card.getBoundingClientRect().top;
    await userEvent.click(card);
    await expect(await canvas.findByRole("group", { name: "Output" })).toBeInTheDocument();
    await canvas.findByRole("button", { name: "Jump to latest" });
    await expect(card.getBoundingClientRect().top).toBe(before);
  },
};

export const TestVirtualized: Story = {
  name: "(Test) A long chat renders fewer than 60 rows and starts at its end",
  ...long,
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
  ...editing,
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    const rows = [...canvasElement.querySelectorAll("[data-message-id]")];
    await expect(rows.map((row) => row.hasAttribute("inert"))).toEqual([false, true, true]);
    const box = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.clear(box);
    await userEvent.type(box, "And on Sunday?{Enter}");
    await expect(args.actions.onEditSave).toHaveBeenCalledWith(id(1), {
      text: "And on Sunday?",
      before: "When can we get through the sound on Saturday? Check my notes first.",
      fileIds: [],
    });
  },
};

export const TestRegenerate: Story = {
  name: "(Test) Only the last answer can be regenerated",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Regenerate answer" }));
    await expect(args.actions.onRegenerate).toHaveBeenCalledTimes(1);
  },
};

export const TestLoadsAtTop: Story = {
  name: "(Test) Older messages load when the top is scrolled into view, and not before",
  args: { messages: longConversation(20), hasOlder: true },
  play: async ({ args, canvas }) => {
    const log = canvas.getByRole("log");
    await waitFor(() => expect(isAtEnd(log)).toBe(true));
    await expect(args.onLoadOlder).not.toHaveBeenCalled();
    await scrollAwayFromEnd(log, 0);
    await waitFor(() => expect(args.onLoadOlder).toHaveBeenCalledTimes(1));
  },
};

export const TestFailedOlder: Story = {
  name: "(Test) After a failed load, only a click loads older messages",
  args: { messages: longConversation(2), hasOlder: true, hasOlderFailed: true },
  play: async ({ args, canvas, userEvent }) => {
    await expect(args.onLoadOlder).not.toHaveBeenCalled();
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(args.onLoadOlder).toHaveBeenCalledTimes(1);
  },
};

export const TestWork: Story = {
  name: "(Test) The line opens and closes the work of a turn, by mouse and keyboard, and stays in place",
  args: { messages: [...longConversation(10, 10), ...CONVERSATION] },
  play: async ({ canvas, userEvent }) => {
    const log = canvas.getByRole("log");
    await waitFor(() => expect(isAtEnd(log)).toBe(true));
    const line = await canvas.findByRole("button", { name: /^Worked/ });
    const said = await canvas.findByText(/I'll look at your notes/);
    line.scrollIntoView({ block: "start" });
    const before = line.getBoundingClientRect().top;
    await userEvent.click(line);
    await waitFor(() => expect(said).toBeVisible());
    await expect(await canvas.findByText("Lookup harbour")).toBeVisible();
    await expect(line.getBoundingClientRect().top).toBe(before);
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(said).not.toBeVisible());
    await expect(line).toHaveFocus();
  },
};

export const TestWorkFound: Story = {
  name: "(Test) The browser's search opens the work in which it finds something",
  play: async ({ args, canvas }) => {
    const said = await canvas.findByText(/I'll look at your notes/);
    const fold = said.closest("[hidden]");
    await expect(fold).toHaveAttribute("hidden", "until-found");
    await fireEvent(fold ?? said, new Event("beforematch", { bubbles: true }));
    await waitFor(() => expect(said).toBeVisible());
    await expect(args.actions.onWorkToggle).toHaveBeenCalledWith(2, true);
  },
};

export const TestWorkTarget: Story = {
  name: "(Test) A link to a message with folded calls opens them",
  args: { target: 2 },
  play: async ({ canvas }) => {
    await waitFor(() =>
      expect(canvas.getByRole("button", { name: /^Worked/ })).toHaveAttribute(
        "aria-expanded",
        "true",
      ),
    );
    await waitFor(() => expect(canvas.getByText(/I'll look at your notes/)).toBeVisible());
  },
};

export const TestAnswerTarget: Story = {
  name: "(Test) A link to the answer leaves the work before it folded",
  args: { target: 3 },
  play: async ({ args, canvas }) => {
    await waitFor(() => expect(args.onTargetShown).toHaveBeenCalled());
    await expect(canvas.getByRole("button", { name: /^Worked/ })).toHaveAttribute(
      "aria-expanded",
      "false",
    );
  },
};

const WIDE = `The tides of the week:

| Port | High water | Low water | Range | Stream | Wind | Remarks |
| --- | --- | --- | --- | --- | --- | --- |
| Oban | 08:52 | 15:04 | 3.8 m | 09:40 | south-west 12 knots | leave the pontoon early |

> \`\`\`ts
> const describe = (harbor: string, high: Date, low: Date) => \`\${harbor}: \${high.toISOString()} to \${low.toISOString()}\`;
> \`\`\`
`;

export const TestWideBlocks: Story = {
  name: "(Test) Wide tables and code go on beside the column of text, and no wider than the list",
  args: { messages: [userMessage(1, "The tides?"), assistantMessage(2, [text(WIDE)])] },
  render: (args) => (
    <div className="flex h-[600px] w-[72rem] flex-col">
      <ListWithWork {...args} />
    </div>
  ),
  play: async ({ canvas }) => {
    const log = canvas.getByRole("log");
    const table = await canvas.findByRole("group", { name: "Table" });
    const code = await canvas.findByRole("group", { name: "Code in ts" });
    const { left, right } = canvas
      .getByRole("article", { name: "Assistant" })
      .getBoundingClientRect();
    for (const block of [table, code]) {
      await waitFor(() => expect(block.getBoundingClientRect().right).toBeGreaterThan(right));
      await expect(block.getBoundingClientRect().left).toBeGreaterThanOrEqual(left);
    }
    await expect(log.scrollWidth).toBe(log.clientWidth);
  },
};

const Finishing = (args: ListProps) => {
  const [isDone, setDone] = useState(false);
  return (
    <div className="flex h-[600px] flex-col">
      <button type="button" onClick={() => setDone(true)}>
        Finish
      </button>
      <ListWithWork
        {...args}
        isTurnRunning={!isDone}
        messages={args.messages.slice(0, isDone ? 3 : 2)}
      />
    </div>
  );
};

export const TestWorkStaysOpen: Story = {
  name: "(Test) Work that the person has seen running stays open when the turn ends",
  render: (args) => <Finishing {...args} />,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole("button", { name: /^Working/ })).toBeVisible();
    const card = await canvas.findByText("Lookup harbour");
    await userEvent.click(canvas.getByRole("button", { name: "Finish" }));
    const line = await canvas.findByRole("button", { name: /^Worked/ });
    await expect(line).toHaveAttribute("aria-expanded", "true");
    await expect(card).toBeVisible();
  },
};

/** Whether the message is at the top of the visible part. */
const isAtTop = (log: HTMLElement, message: HTMLElement): boolean => {
  const top = message.getBoundingClientRect().top - log.getBoundingClientRect().top;
  return top >= 0 && top < 60;
};

const playJumps: NonNullable<Story["play"]> = async ({ args, canvas, userEvent }) => {
  const log = canvas.getByRole("log");
  await waitFor(() => expect(isAtEnd(log)).toBe(true));
  await scrollAwayFromEnd(log, log.scrollTop - 900);
  const jump = (name: string) => userEvent.click(canvas.getByRole("button", { name }));
  await jump("Your previous message");
  const questions = (): HTMLElement[] =>
    canvas.getAllByText(/^Question \d+$/).filter((question) => isAtTop(log, question));
  await waitFor(() => expect(questions()).toHaveLength(1));
  const numberAtTop = () => Number(questions()[0]?.textContent?.split(" ")[1]);
  const from = numberAtTop();
  await jump("Your previous message");
  await waitFor(() => expect(numberAtTop()).toBe(from - 2));
  await jump("Your next message");
  await waitFor(() => expect(numberAtTop()).toBe(from));
  await jump("First message");
  await expect(args.onTarget).toHaveBeenCalledWith(0);
  await jump("Jump to latest");
  await waitFor(() => expect(isAtEnd(log)).toBe(true));
};
export const TestJumps: Story = {
  name: "(Test) Buttons move between the person's messages, to the first and to the last",
  args: { messages: longConversation(20) },
  play: playJumps,
};
export const TestJumpsInLongChat: Story = {
  ...TestJumps,
  name: "(Test) As before in a long chat",
  ...long,
  play: playJumps,
};

export const TestTarget: Story = {
  name: "(Test) A message that is asked for is shown at the top",
  args: { messages: longConversation(500), target: 401 },
  play: async ({ args, canvas }) => {
    const log = canvas.getByRole("log");
    await waitFor(() => expect(isAtTop(log, canvas.getByText("Question 401"))).toBe(true));
    await expect(args.onTargetShown).toHaveBeenCalled();
  },
};

export const TestTargetNotLoaded: Story = {
  name: "(Test) The list stays where it is until a message that is asked for is loaded",
  args: { messages: longConversation(20, 101), hasOlder: true, target: 3 },
  play: async ({ args, canvas }) => {
    await waitFor(() => expect(isAtEnd(canvas.getByRole("log"))).toBe(true));
    await expect(args.onTargetShown).not.toHaveBeenCalled();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [{ text: "Follow the end only while the reader is there." }],
    donts: [{ text: "Do not move what is read when something above it is loaded." }],
  }),
};
