import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { ChatRow } from "@/components/sidebar/chat-row";
import { showStates } from "../show-states";
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
  args: { chat: sidebarChat(3, "Sail inventory"), actions, isCurrent: false, search: "", now: NOW },
} satisfies Meta<typeof ChatRow>;
export default meta;
type Story = StoryObj<typeof meta>;

const needsYou = {
  args: {
    chat: sidebarChat(3, "Sail inventory", {
      status: "requires_action",
      action_deadline_at: new Date(NOW + 200 * 60_000).toISOString(),
    }),
  },
} satisfies Story;
const archived: Story = {
  args: { chat: sidebarChat(3, "Sail inventory", { archived: true }) },
};

export const States: Story = showStates(meta, {
  Default: {},
  Current: { args: { isCurrent: true } },
  Unread: { args: { chat: sidebarChat(3, "Sail inventory", { unread: true }) } },
  "The status is part of the link's name": {
    ...needsYou,
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("link", { name: /^Needs you Sail inventory/ })).toBeVisible();
    },
  },
  "Needs you: the time left to answer is shown": {
    ...needsYou,
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("link")).toHaveTextContent("3h 20m left");
    },
  },
  "Awaiting programs: it says when it changed, as there is nothing to answer": {
    args: { chat: { ...needsYou.args.chat, needs_you: false } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("link")).toHaveAccessibleName(/^Working Sail inventory/);
      await expect(canvas.getByRole("link")).not.toHaveTextContent("left");
    },
  },
  Pinned: { args: { chat: sidebarChat(3, "Sail inventory", { pinned: true }) } },
  Archived: archived,
  "Long title": { args: { chat: sidebarChat(3, "Sail inventory ".repeat(12)) } },
  "A row apart from its parent names it": {
    args: { ...needsYou.args, parentTitle: "Compare three logging libraries" },
    play: async ({ canvas }) => {
      const name = /Sail inventory.*, agent of Compare three logging libraries/;
      await expect(canvas.getByRole("link", { name })).toBeVisible();
    },
  },
});

type Play = NonNullable<Story["play"]>;
const openMenu = async ({ canvas, userEvent }: Parameters<Play>[0]) => {
  await userEvent.click(canvas.getByRole("button", { name: "Actions for Sail inventory" }));
  return screen.findByRole("menu");
};
const selectMenuItem = async (context: Parameters<Play>[0], name: string) => {
  await openMenu(context);
  await context.userEvent.click(await screen.findByRole("menuitem", { name }));
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
};

export const TestNavigate: Story = {
  name: "(Test) A plain click calls onNavigate with the link's address",
  play: async ({ args, canvas, userEvent }) => {
    const link = canvas.getByRole("link", { name: /Sail inventory/ });
    await expect(link).toHaveAttribute("href", `/chats/${id(3)}`);
    await userEvent.click(link);
    await expect(args.actions.onNavigate).toHaveBeenCalledWith(`/chats/${id(3)}`);
  },
};

export const TestPin: Story = {
  name: "(Test) Pin calls onPin",
  play: async (context) => {
    await selectMenuItem(context, "Pin");
    await expect(context.args.actions.onPin).toHaveBeenCalledWith(id(3), true);
  },
};

export const TestRename: Story = {
  name: "(Test) Rename edits the title in place",
  play: async (context) => {
    await selectMenuItem(context, "Rename");
    const field = await context.canvas.findByRole("textbox", { name: "Chat title" });
    await waitFor(() => expect(field).toHaveFocus());
    await context.userEvent.keyboard("Sails{Enter}");
    await expect(context.args.actions.onRename).toHaveBeenCalledWith(id(3), "Sails");
  },
};

export const TestArchive: Story = {
  name: "(Test) Archive calls onArchive",
  play: async (context) => {
    await selectMenuItem(context, "Archive");
    await expect(context.args.actions.onArchive).toHaveBeenCalledWith(
      id(3),
      true,
      "Sail inventory",
    );
  },
};

export const TestRestore: Story = {
  name: "(Test) Restore calls onArchive with false",
  ...archived,
  play: async (context) => {
    await selectMenuItem(context, "Restore");
    await expect(context.args.actions.onArchive).toHaveBeenCalledWith(
      id(3),
      false,
      "Sail inventory",
    );
  },
};

export const TestDelete: Story = {
  name: "(Test) Delete calls onDelete without a question, as it can be undone",
  play: async (context) => {
    await selectMenuItem(context, "Delete");
    await expect(context.args.actions.onDelete).toHaveBeenCalledWith(id(3), "Sail inventory");
  },
};

export const TestChild: Story = {
  name: "(Test) A child chat is neither pinned, archived nor deleted alone",
  args: { chat: sidebarChat(3, "Sail inventory", { parent_chat_id: id(1) }) },
  play: async (context) => {
    await openMenu(context);
    await expect(screen.getAllByRole("menuitem").map((item) => item.textContent)).toEqual([
      "Rename",
    ]);
  },
};
