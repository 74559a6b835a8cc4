import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { ChatMenu } from "@/components/chat/chat-menu";
import { createChatMenuItems } from "@/components/sidebar/chat-menu-items";
import { showStates } from "../show-states";
import { USAGE } from "./fixtures";

const ACTIONS = {
  onNavigate: fn(),
  onPin: fn(),
  onRename: fn(),
  onArchive: fn(),
  onDelete: fn(),
};

const CHAT = {
  id: "0198c0de-0000-7000-8000-0000000000a1",
  title: "Tides around Oban",
  pinned: false,
  archived: false,
  parent_chat_id: null,
};

const meta = {
  component: ChatMenu,
  args: {
    items: createChatMenuItems(CHAT, ACTIONS, fn()),
    usage: { ...USAGE, cost_micros: 310_000 },
    autoSubmit: { success: true, error: false },
    onAutoSubmitChange: fn(),
    isArchived: false,
  },
} satisfies Meta<typeof ChatMenu>;
export default meta;
type Story = StoryObj<typeof meta>;

const open: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Actions for this chat" }));
    await expect(await screen.findByRole("menu")).toHaveTextContent(
      "84.2K tokens read, 3.1K written, $0.31",
    );
  },
};

export const States: Story = showStates(meta, { Closed: {} });
export const Open: Story = open;
export const Archived: Story = {
  ...open,
  args: {
    items: createChatMenuItems({ ...CHAT, archived: true }, ACTIONS, fn()),
    isArchived: true,
  },
};
export const Agent: Story = {
  ...open,
  args: { items: createChatMenuItems({ ...CHAT, parent_chat_id: CHAT.id }, ACTIONS, fn()) },
};

export const TestAutoSubmit: Story = {
  name: "(Test) What is chosen for after the tools changes its part",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Actions for this chat" }));
    const onError = await screen.findByRole("menuitemcheckbox", { name: "Go on after an error" });
    await expect(onError).not.toBeChecked();
    await userEvent.click(onError);
    await expect(args.onAutoSubmitChange).toHaveBeenCalledWith({ error: true });
    await userEvent.click(screen.getByRole("menuitemcheckbox", { name: "Go on after a success" }));
    await expect(args.onAutoSubmitChange).toHaveBeenCalledWith({ success: false });
  },
};

export const TestActions: Story = {
  name: "(Test) The chat is archived and deleted from its menu",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Actions for this chat" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Archive" }));
    await expect(ACTIONS.onArchive).toHaveBeenCalledWith(CHAT.id, true, CHAT.title);
    await userEvent.click(canvas.getByRole("button", { name: "Actions for this chat" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
    await expect(ACTIONS.onDelete).toHaveBeenCalledWith(CHAT.id, CHAT.title);
  },
};
