import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor, within } from "storybook/test";
import { Sidebar } from "@/components/sidebar/sidebar";
import { showStates } from "../show-states";
import { CHATS, id, NOW, sidebarChat } from "./fixtures";

const meta = {
  component: Sidebar,
  args: {
    chats: CHATS,
    waitingChats: [],
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
    isLoading: false,
    error: undefined,
    onRetry: fn(),
    hasMore: false,
    isLoadingMore: false,
    hasMoreFailed: false,
    lastAction: undefined,
    onLoadMore: fn(),
    onSearchChange: fn(),
    onArchivedChange: fn(),
    onMarkAllRead: fn(),
    user: { name: "Ada Lovelace", email: "ada@example.com" },
    theme: "system",
    onThemeChange: fn(),
    onOpenPalette: fn(),
    onShowShortcuts: fn(),
    onSignOut: fn(),
    onHide: fn(),
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

const archived: Story = {
  args: { archived: true, chats: [sidebarChat(9, "Old plans", { archived: true })] },
};

export const States: Story = showStates(meta, {
  Default: {},
  Archived: archived,
});

export const DrawerOpen: Story = {
  args: { open: true },
  globals: { viewport: { value: "mobile1" } },
};

export const TestKeyboard: Story = {
  name: "(Test) Tab reaches the search and the chat list",
  play: async ({ canvas, userEvent }) => {
    const focused: string[] = [];
    for (let stop = 0; stop < 6; stop += 1) {
      await userEvent.tab();
      focused.push(document.activeElement?.ariaLabel ?? document.activeElement?.tagName ?? "");
    }
    await expect(focused.slice(1, 3)).toEqual(["Hide chat list", "Search chats"]);
    await expect(focused).not.toContain("Actions for Sail inventory");
    await expect(canvas.getByRole("navigation", { name: "Chats" })).toContainElement(
      document.activeElement as HTMLElement,
    );
  },
};

export const TestRowKeys: Story = {
  name: "(Test) Arrow keys move through the rows of all groups and to the actions of a row",
  play: async ({ canvas, userEvent }) => {
    const rows = within(canvas.getByRole("navigation", { name: "Chats" })).getAllByRole("link");
    const [first, second] = rows;
    first?.focus();
    await userEvent.keyboard("{ArrowDown}");
    await expect(second).toHaveFocus();
    await userEvent.keyboard("{End}");
    await expect(rows.at(-1)).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}");
    await expect(rows.at(-1)).toHaveFocus();
    await userEvent.keyboard("{Home}");
    await expect(first).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}{ArrowUp}{ArrowRight}");
    await expect(document.activeElement).toHaveAccessibleName(/^Actions for /);
    await userEvent.keyboard("{ArrowLeft}");
    await expect(first).toHaveFocus();
  },
};

export const TestRowMenu: Story = {
  name: "(Test) Shift+F10 and the menu key open the actions of a row",
  play: async ({ canvas, userEvent }) => {
    const link = canvas.getByRole("link", { name: /Sail inventory/ });
    for (const keys of ["{Shift>}{F10}{/Shift}", "{ContextMenu}"]) {
      link.focus();
      await userEvent.keyboard(keys);
      const menu = await screen.findByRole("menu");
      await waitFor(() => expect(menu).toContainElement(document.activeElement as HTMLElement));
      await userEvent.keyboard("{Escape}");
      await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
      await expect(
        canvas.getByRole("button", { name: "Actions for Sail inventory" }),
      ).toHaveFocus();
    }
  },
};

export const TestArchivedToggle: Story = {
  name: "(Test) Archived calls onArchivedChange",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Archived" }));
    await expect(args.onArchivedChange).toHaveBeenCalledWith(true);
  },
};

export const TestArchived: Story = {
  name: "(Test) The archive has its own name and Back to chats closes it",
  ...archived,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("navigation", { name: "Archived chats" })).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Back to chats", pressed: true }));
    await expect(args.onArchivedChange).toHaveBeenCalledWith(false);
  },
};

export const TestDrawer: Story = {
  name: "(Test) The drawer is a dialog and Escape closes it",
  args: { open: true },
  play: async ({ args, userEvent }) => {
    await screen.findByRole("dialog", { name: "Chats" });
    await userEvent.keyboard("{Escape}");
    await expect(args.onOpenChange).toHaveBeenCalledWith(false);
  },
};

export const TestDrawerSearch: Story = {
  name: "(Test) Escape in the drawer’s search clears it without closing the drawer",
  ...DrawerOpen,
  args: { open: true, search: "sail" },
  play: async ({ args, userEvent }) => {
    const drawer = within(await screen.findByRole("dialog", { name: "Chats" }));
    await userEvent.click(drawer.getByRole("textbox", { name: "Search chats" }));
    await userEvent.keyboard("{Escape}");
    await expect(args.onSearchChange).toHaveBeenCalledWith("");
    await expect(args.onOpenChange).not.toHaveBeenCalled();
  },
};

export const TestAccount: Story = {
  name: "(Test) The account menu calls its handlers",
  play: async ({ args, canvas, userEvent }) => {
    for (const name of ["Light theme", "Settings", "Sign out"]) {
      await userEvent.click(canvas.getByRole("button", { name: "Account: Ada Lovelace" }));
      await userEvent.click(await screen.findByRole("menuitem", { name }));
      await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
    }
    await expect(args.onThemeChange).toHaveBeenCalledWith("light");
    await expect(args.actions.onNavigate).toHaveBeenCalledWith("/settings");
    await expect(args.onSignOut).toHaveBeenCalledTimes(1);
  },
};

export const TestHide: Story = {
  name: "(Test) Hide chat list calls onHide",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Hide chat list" }));
    await expect(args.onHide).toHaveBeenCalledOnce();
  },
};

export const TestMarkAllRead: Story = {
  name: "(Test) Mark all as read calls onMarkAllRead",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Mark all as read" }));
    await expect(args.onMarkAllRead).toHaveBeenCalledOnce();
  },
};
