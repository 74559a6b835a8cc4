import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fireEvent, fn, waitFor } from "storybook/test";
import { FindBar } from "@/components/chat/find-bar";
import { UserMessage } from "@/components/chat/user-message";
import { useMatchHighlights } from "@/components/chat/use-match-highlights";
import { Markdown } from "@/components/ui/markdown";
import { showStates } from "../show-states";
import { id, userMessage } from "./fixtures";

/** Stores the text, as the page does. */
const WithQuery = (props: ComponentProps<typeof FindBar>) => {
  const [query, setQuery] = useState(props.query);
  return (
    <FindBar
      {...props}
      query={query}
      onQueryChange={(next) => {
        setQuery(next);
        props.onQueryChange(next);
      }}
    />
  );
};

const meta = {
  component: FindBar,
  render: (args) => <WithQuery {...args} />,
  args: {
    query: "narwhal",
    onQueryChange: fn(),
    found: {
      position: 3,
      count: 17,
      hasMore: false,
      snippet: "…a narwhal lives in the Arctic waters of Canada and…",
      isLoading: false,
    },
    openCount: 1,
    onMove: fn(),
    onClose: fn(),
  },
} satisfies Meta<typeof FindBar>;
export default meta;
type Story = StoryObj<typeof meta>;

const none = { position: 1, count: 0, hasMore: false, isLoading: false };
const nothing: Story = {
  args: { query: "quagga ".repeat(28), found: none },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent(/^No messages with “quagga quagga/);
    const next = canvas.getByRole("button", { name: "Next match (older)" });
    await expect(next).toBeDisabled();
  },
};

export const States: Story = showStates(meta, {
  Found: {
    play: async ({ canvas }) =>
      expect(canvas.getByRole("status")).toHaveTextContent("3 of 17: …a narwhal lives"),
  },
  Empty: {
    args: { query: "", found: undefined },
    play: async ({ canvas }) => expect(canvas.getByRole("status")).toHaveTextContent(/^$/),
  },
  Searching: { args: { found: { ...none, isLoading: true } } },
  "More than are counted": {
    args: { found: { ...none, position: 500, count: 500, hasMore: true } },
  },
  "Nothing found": nothing,
  "The server is away": {
    args: { found: { ...none, error: "The server cannot be reached. Check the connection." } },
  },
});

export const Narrow: Story = {
  ...nothing,
  globals: { viewport: { value: "mobile1" } },
  play: async (context) => {
    await nothing.play?.(context);
    const { canvasElement } = context;
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestKeys: Story = {
  name: "(Test) Enter goes on, Shift+Enter goes back, and Escape closes the bar alone",
  render: (args) => (
    <div onKeyDown={onKeyOfPage}>
      <WithQuery {...args} />
    </div>
  ),
  play: async ({ args, canvas, userEvent }) => {
    const field = canvas.getByRole("textbox", { name: "Text to find" });
    await expect(field).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onMove).toHaveBeenLastCalledWith(1);
    await userEvent.keyboard("{Shift>}{Enter}{/Shift}");
    await expect(args.onMove).toHaveBeenLastCalledWith(-1);
    await fireEvent.keyDown(field, { key: "Enter", isComposing: true });
    await fireEvent.keyDown(field, { key: "Escape", isComposing: true });
    await expect(args.onMove).toHaveBeenCalledTimes(2);
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    await expect(args.onMove).toHaveBeenLastCalledWith(1);
    await expect(args.onClose).not.toHaveBeenCalled();
    onKeyOfPage.mockClear();
    await userEvent.keyboard("{Escape}");
    await expect(args.onClose).toHaveBeenCalledOnce();
    await expect(onKeyOfPage).not.toHaveBeenCalled();
  },
};
const onKeyOfPage = fn();

export const TestTyping: Story = {
  name: "(Test) What is typed goes on after what was typed while the bar was loaded",
  play: async ({ args, userEvent }) => {
    await userEvent.keyboard("s");
    await expect(args.onQueryChange).toHaveBeenCalledWith("narwhals");
  },
};

export const TestAskedAgain: Story = {
  name: "(Test) What is typed replaces the text when the bar is asked for again",
  args: { openCount: 2 },
  play: async ({ args, userEvent }) => {
    await userEvent.keyboard("s");
    await expect(args.onQueryChange).toHaveBeenCalledWith("s");
  },
};

const Messages = ({ q, shownId }: { q: string; shownId: string }) => {
  useMatchHighlights({ q, shownId, showCount: 1 });
  return (
    <>
      <div data-message-id={id(1)}>
        <UserMessage message={userMessage(1, `${"Tides.\n".repeat(40)}The last NARWHAL.`)} />
      </div>
      <div data-message-id={id(2)} data-message-text>
        <Markdown
          text={"One nar**whal**.\n\nnar\n\nwhal\n\n- a Narwhal, `narwhal`"}
          isStreaming={false}
        />
      </div>
    </>
  );
};

const readTexts = (name: string): string[] =>
  [...(CSS.highlights.get(name) ?? [])].map((range) => (range as Range).toString());

export const TestHighlights: Story = {
  name: "(Test) The text is highlighted where people read it, and the folded message that has it opens",
  render: () => <Messages q="narwhal" shownId={id(1)} />,
  play: async ({ canvas }) => {
    await waitFor(() => expect(readTexts("match")).toEqual(["narwhal", "Narwhal", "narwhal"]));
    await expect(readTexts("shown-match")).toEqual(["NARWHAL"]);
    await expect(await canvas.findByRole("button", { name: "Show less" })).toBeVisible();
  },
};

export const TestPlainText: Story = {
  name: "(Test) The text is taken as it is written",
  render: () => <Messages q="." shownId={id(2)} />,
  play: async () => {
    await waitFor(() => expect(readTexts("shown-match")).toEqual(["."]));
    await expect(readTexts("match")).toHaveLength(41);
  },
};
