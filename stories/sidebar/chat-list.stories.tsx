import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, waitFor, within } from "storybook/test";
import { ChatList } from "@/components/sidebar/chat-list";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";
import { CHATS, id, NOW, sidebarChat } from "./fixtures";

const meta = {
  component: ChatList,
  args: {
    chats: CHATS,
    waitingChats: [],
    activeChatId: id(4),
    actions: { onNavigate: fn(), onPin: fn(), onRename: fn(), onArchive: fn(), onDelete: fn() },
    search: "",
    archived: false,
    isLoading: false,
    error: undefined as string | undefined,
    onRetry: fn(),
    hasMore: false,
    isLoadingMore: false,
    hasMoreFailed: false,
    onLoadMore: fn(),
    now: NOW,
  },
  render: (args) => (
    <div className="w-72 max-w-full">
      <ChatList {...args} />
    </div>
  ),
} satisfies Meta<typeof ChatList>;
export default meta;
type Story = StoryObj<typeof meta>;

const parked = { status: "requires_action" as const };
const newer = Array.from({ length: 60 }, (_, index) =>
  sidebarChat(index + 1, `Newer ${index + 1}`),
);
const WAITING = [
  sidebarChat(2, "Newer 2", parked),
  sidebarChat(80, "Harbour dues, which form?", parked),
  sidebarChat(90, "Refund of the deposit", { ...parked, pinned: true }),
];
const waitingBehindNewer: Story = {
  args: { chats: newer, waitingChats: WAITING, hasMore: true },
};
const failed: Story = { args: { chats: [], error: "The list of chats could not be read." } };

const match = {
  seq: 7,
  snippet:
    "…so the crossing: reef early, keep the Sail inventory at hand and call the harbour before…",
};
const searchSnippets: Story = {
  args: {
    search: "sail",
    chats: [
      sidebarChat(3, "Sail inventory"),
      sidebarChat(4, "Weather window", { match }),
      sidebarChat(9, "Old plans", { match, archived: true }),
    ],
  },
};
const searchFailed: Story = {
  args: {
    search: "sail",
    chats: [],
    error: "The server cannot be reached. Check the connection and try again.",
  },
};
const hasMore: Story = { args: { hasMore: true } };
const loadingMore: Story = { args: { hasMore: true, isLoadingMore: true } };

type Canvas = Parameters<NonNullable<Story["play"]>>[0]["canvas"];
const headings = (canvas: Canvas) =>
  canvas.getAllByRole("heading", { level: 2 }).map((node) => node.textContent);

export const TestGroups: Story = {
  name: "(Test) Waiting chats come first, then pinned ones, and agents are below their chat",
  play: async ({ canvas, userEvent }) => {
    await expect(headings(canvas)).toEqual([
      "Needs you",
      "Pinned",
      "Today",
      "Yesterday",
      "Previous 30 days",
    ]);
    const waiting = within(canvas.getByRole("group", { name: "Needs you" }));
    await expect(waiting.getByRole("link")).toHaveTextContent("Harbour dues, which form?");
    const pinned = within(canvas.getByRole("group", { name: "Pinned" }));
    await expect(pinned.getByRole("link")).toHaveTextContent("Sail inventory");
    await userEvent.click(canvas.getByRole("button", { name: /^1 agent/ }));
    const child = canvas.getByRole("link", { name: /Look up mooring rules/ });
    await expect(child.closest("ul")?.closest("li")).toHaveTextContent("Tides around Oban");
    await expect(canvas.getByRole("link", { current: "page" })).toHaveTextContent("Weather window");
  },
};

export const TestWaiting: Story = {
  ...waitingBehindNewer,
  name: "(Test) All waiting chats come first, once each, whatever number of chats is newer",
  play: async ({ args, canvas, userEvent }) => {
    await expect(headings(canvas)).toEqual([
      "Needs you",
      "Today",
      "Yesterday",
      "Previous 7 days",
      "Previous 30 days",
    ]);
    const waiting = within(canvas.getByRole("group", { name: "Needs you" }));
    const hrefs = waiting.getAllByRole("link").map((link) => link.getAttribute("href"));
    await expect(hrefs).toEqual([2, 80, 90].map((n) => `/chats/${id(n)}`));
    await expect(canvas.getAllByRole("link")).toHaveLength(62);
    await userEvent.click(waiting.getByRole("link", { name: /Refund/ }));
    await expect(args.actions.onNavigate).toHaveBeenCalledWith(`/chats/${id(90)}`);
  },
};

const expectHeading = (heading: string, state: Story): Story => ({
  ...state,
  play: async ({ canvas }) => {
    await expect(headings(canvas)).toEqual([heading]);
  },
});

const expectStatus = (text: string | RegExp, state: Story): Story => ({
  ...state,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent(text);
    await expect(canvas.queryByRole("link")).toBeNull();
  },
});

export const States: Story = showStates(meta, {
  Many: {},
  "Needs you, behind newer ones": waitingBehindNewer,
  "Loading: chats that need you are shown already": {
    args: { chats: [], waitingChats: WAITING, isLoading: true },
    play: async ({ canvas }) => {
      await expect(canvas.getAllByRole("link")).toHaveLength(3);
      await expect(canvas.getByRole("status")).toHaveTextContent("Loading chats…");
    },
  },
  "Without pinned chats there is no Pinned group": expectHeading("Today", {
    args: { chats: CHATS.slice(3, 6) },
  }),
  "Without other chats there are no groups of days": expectHeading("Pinned", {
    args: { chats: CHATS.slice(2, 3) },
  }),
  "Empty: how to start a chat is explained": expectStatus(/^No chats yet.*appears here\.$/, {
    args: { chats: [] },
  }),
  "Loading: it is announced": expectStatus("Loading chats…", {
    args: { chats: [], isLoading: true },
  }),
  "Load error": failed,
  "Found: the results are one group": expectHeading("Results", {
    args: { search: "sail", chats: CHATS.slice(2, 4) },
  }),
  "Found, with snippets": searchSnippets,
  "Results of a shorter text are marked as such until the search has ended": {
    args: { search: "sail i", chats: CHATS.slice(2, 4), isLoading: true },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent("Searching…");
      const results = canvas.getByRole("group", { name: "Last results" });
      await expect(results.parentElement).toHaveAttribute("aria-busy", "true");
    },
  },
  "Load error, search": searchFailed,
  "A search of one letter says what it looks through": {
    args: { search: "s", chats: CHATS.slice(2, 4) },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/titles and the newest messages only/)).toBeVisible();
    },
  },
  "Nothing found: it is announced": expectStatus(/^Nothing found for “xyzzy”/, {
    args: { search: "xyzzy", chats: [] },
  }),
  "A long search text does not overflow the sidebar": {
    args: { search: "x".repeat(200), chats: [] },
    play: async ({ canvas }) => {
      const message = canvas.getByText(/^Nothing found/);
      await expect(message.scrollWidth).toBeLessThanOrEqual(message.clientWidth);
    },
  },
  "Archived: they are one group": expectHeading("Archived", {
    args: { archived: true, chats: [sidebarChat(9, "Old plans", { archived: true })] },
  }),
  "Empty, archive: it is announced": expectStatus(/^No archived chats/, {
    args: { archived: true, chats: [] },
  }),
  "Has more": hasMore,
  "Loading more": loadingMore,
  "A search shows only its results": {
    args: { search: "Newer", chats: newer.slice(0, 3), waitingChats: WAITING },
    play: async ({ canvas }) => {
      await expect(headings(canvas)).toEqual(["Results"]);
      await expect(canvas.getAllByRole("link")).toHaveLength(3);
    },
  },
  "At the end of the list there is no Show more button": {
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("button", { name: "Show more" })).toBeNull();
    },
  },
});

export const TestFailed: Story = {
  name: "(Test) A loading error is announced and Try again calls onRetry",
  ...failed,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("alert")).toHaveTextContent(
      "The list of chats could not be read.",
    );
    await expect(canvas.queryByText(/No chats/)).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(args.onRetry).toHaveBeenCalledTimes(1);
  },
};

export const TestSearchFailed: Story = {
  name: "(Test) A search that could not be made says so, and is not taken for one without results",
  ...searchFailed,
  play: async ({ args, canvas, userEvent }) => {
    const alert = canvas.getByRole("alert");
    await expect(alert).toHaveTextContent(
      "Could not search for “sail”The server cannot be reached.",
    );
    await expect(canvas.queryByText(/Nothing found/)).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(args.onRetry).toHaveBeenCalledTimes(1);
  },
};

export const TestLoadMore: Story = {
  name: "(Test) More chats load when the end of the list is in view",
  ...hasMore,
  play: async ({ args, canvas }) => {
    canvas.getByRole("button", { name: "Show more" }).scrollIntoView();
    await waitFor(() => expect(args.onLoadMore).toHaveBeenCalledTimes(1));
  },
};

export const TestLoadMoreFailed: Story = {
  name: "(Test) After a failed load, a click loads more chats",
  args: { hasMore: true, hasMoreFailed: true },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(args.onLoadMore).toHaveBeenCalledTimes(1);
  },
};

export const TestLoadingMore: Story = {
  name: "(Test) While more chats load, Show more ignores clicks",
  ...loadingMore,
  play: async ({ args, canvas, userEvent }) => {
    const button = canvas.getByRole("button", { name: "Show more" });
    await expect(button).toHaveAttribute("aria-busy", "true");
    button.focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onLoadMore).not.toHaveBeenCalled();
    await expect(button).toHaveFocus();
  },
};

export const TestSnippets: Story = {
  name: "(Test) A result shows what was found, leads to the message, and says if it is archived",
  ...searchSnippets,
  play: async ({ args, canvas, userEvent }) => {
    const [titled, found, archived] = canvas.getAllByRole("link");
    await expect(titled).toHaveAttribute("href", `/chats/${id(3)}`);
    await expect(found?.querySelector("mark")).toHaveTextContent("Sail");
    await expect(archived).toHaveTextContent("Archived");
    await userEvent.click(canvas.getByRole("link", { name: /Weather window/ }));
    await expect(args.actions.onNavigate).toHaveBeenCalledWith(`/chats/${id(4)}?message=7`);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [{ text: "Put what needs the person first, whatever else is newer." }],
    donts: [{ text: "Do not make a row bold for what no person has to read." }],
  }),
};
