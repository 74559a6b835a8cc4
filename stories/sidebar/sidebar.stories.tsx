import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { Sidebar } from "@/components/sidebar/sidebar";
import { CHATS, id, NOW, sidebarChat } from "./fixtures";

const meta = {
  component: Sidebar,
  args: {
    chats: CHATS,
    activeChatId: id(4),
    actions: {
      onNavigate: fn(),
      onPin: fn(),
      onRename: fn(),
      onArchive: fn(),
      onDelete: fn(),
    },
    search: "",
    archived: false,
    loading: false,
    error: undefined,
    hasMore: false,
    loadingMore: false,
    onLoadMore: fn(),
    onSearchChange: fn(),
    onArchivedChange: fn(),
    user: { name: "Ada Lovelace", email: "ada@example.com" },
    theme: "system",
    onThemeChange: fn(),
    onOpenSettings: fn() as (() => void) | undefined,
    onSignOut: fn(),
    open: false,
    onOpenChange: fn(),
    now: NOW,
  },
  render: (args) => (
    <div className="flex h-[640px]">
      <Sidebar {...args} />
    </div>
  ),
} satisfies Meta<typeof Sidebar>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Filled: Story = {};
export const Empty: Story = { args: { chats: [] } };
export const Loading: Story = { args: { chats: [], loading: true } };
export const Failed: Story = { args: { chats: [], error: "The list of chats could not be read." } };
export const SearchResults: Story = { args: { search: "sail", chats: CHATS.slice(2, 4) } };
export const NothingFound: Story = { args: { search: "xyzzy", chats: [] } };
export const Archived: Story = {
  args: { archived: true, chats: [sidebarChat(9, "Old plans", { archived: true })] },
};
export const NothingArchived: Story = { args: { archived: true, chats: [] } };
export const More: Story = { args: { hasMore: true } };
export const DrawerOpen: Story = {
  args: { open: true },
  globals: { viewport: { value: "mobile1" } },
};

export const TestGroups: Story = {
  name: "(Test) Pinned chats come first, spawned ones lie under their parent",
  play: async ({ canvas }) => {
    const groups = canvas.getAllByRole("heading", { level: 2 }).map((node) => node.textContent);
    await expect(groups).toEqual(["Pinned", "Recent"]);
    const child = canvas.getByRole("link", { name: /Look up mooring rules/ });
    await expect(child.closest("ul")?.closest("li")).toHaveTextContent("Tides around Oban");
    await expect(canvas.getByRole("link", { current: "page" })).toHaveTextContent("Weather window");
  },
};

export const TestSearch: Story = {
  name: "(Test) Typing is told; Escape clears",
  args: { search: "sai" },
  play: async ({ args, canvas, userEvent }) => {
    const field = canvas.getByRole("textbox", { name: "Search chats" });
    await userEvent.type(field, "l");
    await expect(args.onSearchChange).toHaveBeenCalledWith("sail");
    await userEvent.keyboard("{Escape}");
    await expect(args.onSearchChange).toHaveBeenLastCalledWith("");
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Everything is reached by Tab",
  play: async ({ canvas, userEvent }) => {
    const reached: string[] = [];
    for (let stop = 0; stop < 6; stop += 1) {
      await userEvent.tab();
      reached.push(document.activeElement?.ariaLabel ?? document.activeElement?.tagName ?? "");
    }
    await expect(reached.slice(1, 2)).toEqual(["Search chats"]);
    await expect(reached).toContain("Actions for Sail inventory");
    await expect(canvas.getByRole("navigation", { name: "Chats" })).toContainElement(
      document.activeElement as HTMLElement,
    );
  },
};

export const TestArchivedToggle: Story = {
  name: "(Test) The archive is one press away",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Archived" }));
    await expect(args.onArchivedChange).toHaveBeenCalledWith(true);
  },
};

export const TestSignOut: Story = {
  name: "(Test) Sign out from the account’s menu",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Account: Ada Lovelace" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Sign out" }));
    await expect(args.onSignOut).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  },
};

export const TestTheme: Story = {
  name: "(Test) The account's menu names the theme and changes it",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Account: Ada Lovelace" }));
    await screen.findByRole("menuitem", { name: "System theme (current)" });
    await userEvent.click(screen.getByRole("menuitem", { name: "Dark theme" }));
    await expect(args.onThemeChange).toHaveBeenCalledWith("dark");
  },
};

export const TestLoadMore: Story = {
  name: "(Test) More chats on request",
  ...More,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Show more" }));
    await expect(args.onLoadMore).toHaveBeenCalledTimes(1);
  },
};

export const TestDrawer: Story = {
  name: "(Test) The drawer is a dialog that Escape closes",
  args: { open: true },
  play: async ({ args, userEvent }) => {
    await screen.findByRole("dialog", { name: "Chats" });
    await userEvent.keyboard("{Escape}");
    await expect(args.onOpenChange).toHaveBeenCalledWith(false);
  },
};

export const TestSettings: Story = {
  name: "(Test) An administrator’s menu leads to the settings",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Account/ }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Settings" }));
    await expect(args.onOpenSettings).toHaveBeenCalledOnce();
  },
};

export const TestNoSettings: Story = {
  name: "(Test) Nobody else is shown a way to the settings",
  args: { onOpenSettings: undefined },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Account/ }));
    await screen.findByRole("menuitem", { name: "Sign out" });
    await expect(screen.queryByRole("menuitem", { name: "Settings" })).toBeNull();
  },
};
