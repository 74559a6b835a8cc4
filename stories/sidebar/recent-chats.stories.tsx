import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { RecentChats } from "@/components/sidebar/recent-chats";
import { showStates } from "../show-states";
import { CHATS, id, NOW, sidebarChat } from "./fixtures";

const WAITING = Array.from({ length: 7 }, (_, index) =>
  sidebarChat(60 + index, `Book berth ${index + 1}`, {
    status: "requires_action",
    needs_you: true,
  }),
);

const meta = {
  component: RecentChats,
  args: {
    chats: CHATS,
    waitingChats: WAITING.slice(0, 2),
    actions: { onNavigate: fn(), onPin: fn(), onRename: fn(), onArchive: fn(), onDelete: fn() },
    now: NOW,
  },
} satisfies Meta<typeof RecentChats>;
export default meta;
type Story = StoryObj<typeof meta>;

const quiet = CHATS.filter((chat) => !chat.needs_you);

export const States: Story = showStates(meta, {
  "Needs you, two": {},
  "Needs you, many": { args: { waitingChats: WAITING } },
  "At rest": { args: { chats: quiet, waitingChats: [] } },
  "Needs you, one": { args: { chats: [], waitingChats: WAITING.slice(0, 1) } },
  Empty: { args: { chats: [], waitingChats: [] } },
});

export const TestFew: Story = {
  name: "(Test) At most five are recent, and agents are not among them",
  args: {
    waitingChats: [],
    chats: [
      sidebarChat(80, "An agent", { parent_chat_id: id(99) }),
      ...Array.from({ length: 8 }, (_, index) => sidebarChat(81 + index, `Chat ${index + 1}`)),
    ],
  },
  play: async ({ args, canvas, userEvent }) => {
    const links = canvas.getAllByRole("link");
    await expect(links).toHaveLength(5);
    await expect(canvas.queryByText("An agent")).toBeNull();
    await userEvent.click(canvas.getByRole("link", { name: /Chat 1/ }));
    await expect(args.actions.onNavigate).toHaveBeenCalledWith(`/chats/${id(81)}`);
  },
};
