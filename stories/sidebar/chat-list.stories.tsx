import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, within } from "storybook/test";
import { ChatList } from "@/components/sidebar/chat-list";
import { CHATS, id, NOW, sidebarChat } from "./fixtures";

const meta = {
  component: ChatList,
  args: {
    chats: CHATS,
    activeChatId: id(4),
    actions: { onNavigate: fn(), onPin: fn(), onRename: fn(), onArchive: fn(), onDelete: fn() },
    search: "",
    archived: false,
    isLoading: false,
    error: undefined as string | undefined,
    onRetry: fn(),
    hasMore: false,
    isLoadingMore: false,
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

export const PinnedAndRecent: Story = {};
export const OnlyRecent: Story = { args: { chats: CHATS.slice(3) } };
export const OnlyPinned: Story = { args: { chats: CHATS.slice(2, 3) } };
export const Empty: Story = { args: { chats: [] } };
export const Loading: Story = { args: { chats: [], isLoading: true } };
export const Failed: Story = { args: { chats: [], error: "The list of chats could not be read." } };
export const SearchResults: Story = { args: { search: "sail", chats: CHATS.slice(2, 4) } };
export const NothingFound: Story = { args: { search: "xyzzy", chats: [] } };
export const NothingFoundForLongText: Story = { args: { search: "x".repeat(200), chats: [] } };
export const Archived: Story = {
  args: { archived: true, chats: [sidebarChat(9, "Old plans", { archived: true })] },
};
export const NothingArchived: Story = { args: { archived: true, chats: [] } };
export const HasMore: Story = { args: { hasMore: true } };
export const LoadingMore: Story = { args: { hasMore: true, isLoadingMore: true } };

type Canvas = Parameters<NonNullable<Story["play"]>>[0]["canvas"];
const headings = (canvas: Canvas) =>
  canvas.getAllByRole("heading", { level: 2 }).map((node) => node.textContent);

export const TestGroups: Story = {
  name: "(Test) Pinned chats come first and child chats are nested",
  play: async ({ canvas }) => {
    await expect(headings(canvas)).toEqual(["Pinned", "Recent"]);
    const pinned = within(canvas.getByRole("region", { name: "Pinned" }));
    await expect(pinned.getByRole("link")).toHaveTextContent("Sail inventory");
    const child = canvas.getByRole("link", { name: /Look up mooring rules/ });
    await expect(child.closest("ul")?.closest("li")).toHaveTextContent("Tides around Oban");
    await expect(canvas.getByRole("link", { current: "page" })).toHaveTextContent("Weather window");
  },
};

const expectHeading = (heading: string, state: Story): Story => ({
  ...state,
  play: async ({ canvas }) => {
    await expect(headings(canvas)).toEqual([heading]);
  },
});
export const TestOnlyRecent: Story = {
  name: "(Test) Without pinned chats there is no Pinned group",
  ...expectHeading("Recent", OnlyRecent),
};
export const TestOnlyPinned: Story = {
  name: "(Test) Without other chats there is no Recent group",
  ...expectHeading("Pinned", OnlyPinned),
};
export const TestResults: Story = {
  name: "(Test) Search results are one group",
  ...expectHeading("Results", SearchResults),
};
export const TestArchived: Story = {
  name: "(Test) Archived chats are one group",
  ...expectHeading("Archived", Archived),
};

const expectStatus = (text: string, state: Story): Story => ({
  ...state,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent(text);
    await expect(canvas.queryByRole("link")).toBeNull();
  },
});
export const TestLoading: Story = {
  name: "(Test) Loading is announced",
  ...expectStatus("Loading chats…", Loading),
};
export const TestEmpty: Story = {
  name: "(Test) An empty list explains how to start a chat",
  ...expectStatus("No chats yet. Start one above.", Empty),
};
export const TestNothingFound: Story = {
  name: "(Test) A search without results is announced",
  ...expectStatus("Nothing found for “xyzzy”.", NothingFound),
};
export const TestNothingArchived: Story = {
  name: "(Test) An empty archive is announced",
  ...expectStatus("No archived chats.", NothingArchived),
};

export const TestFailed: Story = {
  name: "(Test) A loading error is announced and Try again calls onRetry",
  ...Failed,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("alert")).toHaveTextContent(
      "The list of chats could not be read.",
    );
    await expect(canvas.queryByText(/No chats/)).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(args.onRetry).toHaveBeenCalledTimes(1);
  },
};

export const TestLoadMore: Story = {
  name: "(Test) Show more calls onLoadMore",
  ...HasMore,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Show more" }));
    await expect(args.onLoadMore).toHaveBeenCalledTimes(1);
  },
};

export const TestLoadingMore: Story = {
  name: "(Test) While more chats load, Show more ignores clicks",
  ...LoadingMore,
  play: async ({ args, canvas, userEvent }) => {
    const button = canvas.getByRole("button", { name: "Show more" });
    await expect(button).toHaveAttribute("aria-busy", "true");
    button.focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onLoadMore).not.toHaveBeenCalled();
    await expect(button).toHaveFocus();
  },
};

export const TestNoMore: Story = {
  name: "(Test) At the end of the list there is no Show more button",
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole("button", { name: "Show more" })).toBeNull();
  },
};

export const TestLongSearch: Story = {
  name: "(Test) A long search text does not overflow the sidebar",
  ...NothingFoundForLongText,
  play: async ({ canvas }) => {
    const message = canvas.getByText(/^Nothing found/);
    await expect(message.scrollWidth).toBeLessThanOrEqual(message.clientWidth);
  },
};
