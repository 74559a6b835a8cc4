import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { ChatRow } from "@/components/sidebar/chat-row";
import { id, NOW, sidebarChat } from "./fixtures";

const actions = {
  onNavigate: fn(),
  onPin: fn(),
  onRename: fn(),
  onArchive: fn(),
  onDelete: fn(),
};

const meta = {
  component: ChatRow,
  args: { chat: sidebarChat(3, "Sail inventory"), actions, current: false, now: NOW },
} satisfies Meta<typeof ChatRow>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Waiting: Story = {};
export const Current: Story = { args: { current: true } };
export const Unread: Story = { args: { chat: sidebarChat(3, "Sail inventory", { unread: true }) } };
export const NeedsYou: Story = {
  args: { chat: sidebarChat(3, "Sail inventory", { status: "requires_action" }) },
};
export const Pinned: Story = { args: { chat: sidebarChat(3, "Sail inventory", { pinned: true }) } };
export const Archived: Story = {
  args: { chat: sidebarChat(3, "Sail inventory", { archived: true }) },
};
export const LongTitle: Story = { args: { chat: sidebarChat(3, "Sail inventory ".repeat(12)) } };

type Play = NonNullable<Story["play"]>;
const openMenu = async ({ canvas, userEvent }: Parameters<Play>[0]) => {
  await userEvent.click(canvas.getByRole("button", { name: "Actions for Sail inventory" }));
  return screen.findByRole("menu");
};
const choose = async (context: Parameters<Play>[0], name: string) => {
  await openMenu(context);
  await context.userEvent.click(await screen.findByRole("menuitem", { name }));
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
};

export const TestNavigate: Story = {
  name: "(Test) A plain press stays in the page, the address is real",
  play: async ({ args, canvas, userEvent }) => {
    const link = canvas.getByRole("link", { name: /Sail inventory/ });
    await expect(link).toHaveAttribute("href", `/chats/${id(3)}`);
    await userEvent.click(link);
    await expect(args.actions.onNavigate).toHaveBeenCalledWith(`/chats/${id(3)}`);
  },
};

export const TestStatusInWords: Story = {
  name: "(Test) The status is said in words too",
  ...NeedsYou,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("link", { name: /^Needs you Sail inventory/ })).toBeVisible();
  },
};

export const TestPin: Story = {
  name: "(Test) Pin",
  play: async (context) => {
    await choose(context, "Pin");
    await expect(context.args.actions.onPin).toHaveBeenCalledWith(id(3), true);
  },
};

export const TestRename: Story = {
  name: "(Test) Rename in place",
  play: async (context) => {
    await choose(context, "Rename");
    const field = await context.canvas.findByRole("textbox", { name: "Chat title" });
    await waitFor(() => expect(field).toHaveFocus());
    await context.userEvent.keyboard("Sails{Enter}");
    await expect(context.args.actions.onRename).toHaveBeenCalledWith(id(3), "Sails");
  },
};

export const TestArchive: Story = {
  name: "(Test) Archive",
  play: async (context) => {
    await choose(context, "Archive");
    await expect(context.args.actions.onArchive).toHaveBeenCalledWith(id(3), true);
  },
};

export const TestRestore: Story = {
  name: "(Test) An archived chat is restored, not pinned",
  ...Archived,
  play: async (context) => {
    await choose(context, "Restore");
    await expect(context.args.actions.onArchive).toHaveBeenCalledWith(id(3), false);
  },
};

export const TestDelete: Story = {
  name: "(Test) Delete asks first",
  play: async (context) => {
    await choose(context, "Delete…");
    await screen.findByRole("alertdialog", { name: "Delete “Sail inventory”?" });
    await expect(context.args.actions.onDelete).not.toHaveBeenCalled();
    await context.userEvent.click(screen.getByRole("button", { name: "Delete chat" }));
    await expect(context.args.actions.onDelete).toHaveBeenCalledWith(id(3));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  },
};
