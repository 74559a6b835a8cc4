import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, within } from "storybook/test";
import { ChatGroup } from "@/components/sidebar/chat-group";
import { buildChatTree } from "@/components/sidebar/chat-tree";
import { showStates } from "../show-states";
import { CHATS, id, NOW, sidebarChat } from "./fixtures";

const createChildChat = (n: number, parent: number) =>
  sidebarChat(n, `Look up mooring rules of harbour ${n}`, { parent_chat_id: id(parent) });

const meta = {
  component: ChatGroup,
  args: {
    heading: "Recent",
    nodes: buildChatTree(CHATS.slice(0, 4)),
    activeChatId: undefined as string | undefined,
    actions: { onNavigate: fn(), onPin: fn(), onRename: fn(), onArchive: fn(), onDelete: fn() },
    search: "",
    now: NOW,
  },
  render: (args) => (
    <div className="w-72 max-w-full">
      <ChatGroup {...args} />
    </div>
  ),
} satisfies Meta<typeof ChatGroup>;
export default meta;
type Story = StoryObj<typeof meta>;

const withChildChat: Story = { args: { nodes: buildChatTree(CHATS) } };
const deeplyNested: Story = {
  args: {
    nodes: buildChatTree([
      ...CHATS.slice(0, 1),
      createChildChat(11, 1),
      createChildChat(12, 11),
      createChildChat(13, 12),
    ]),
  },
};

const chatLink = { name: /Look up mooring rules/ };

export const States: Story = showStates(meta, {
  Flat: {},
  "With active chat": { args: { activeChatId: id(4) } },
  "A child chat is nested under its parent": {
    ...withChildChat,
    play: async ({ canvas }) => {
      const [parent] = canvas.getAllByRole("listitem");
      await expect(parent).toHaveTextContent("Tides around Oban");
      await expect(parent).toContainElement(canvas.getByRole("link", chatLink));
      const top = canvas.getAllByRole("list")[0];
      await expect(top?.children).toHaveLength(CHATS.length - 1);
    },
  },
  "Deeply nested": deeplyNested,
  "The heading names the group and the chats keep their order": {
    play: async ({ canvas }) => {
      const group = within(canvas.getByRole("region", { name: "Recent" }));
      await expect(group.getByRole("heading", { level: 2, name: "Recent" })).toBeVisible();
      const links = group.getAllByRole("link").map((link) => link.getAttribute("href"));
      await expect(links).toEqual([1, 2, 3, 4].map((n) => `/chats/${id(n)}`));
    },
  },
  "Only the active chat is the current link, also if it is a child": {
    args: { ...withChildChat.args, activeChatId: id(5) },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("link", { current: "page" })).toBe(
        canvas.getByRole("link", chatLink),
      );
    },
  },
});

export const TestKeyboard: Story = {
  name: "(Test) Tab moves from a chat to its actions and then to its child",
  ...withChildChat,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("link", { name: /Tides around Oban/ })).toHaveFocus();
    await userEvent.tab();
    await expect(
      canvas.getByRole("button", { name: "Actions for Tides around Oban" }),
    ).toHaveFocus();
    await userEvent.tab();
    await expect(canvas.getByRole("link", chatLink)).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.actions.onNavigate).toHaveBeenCalledWith(`/chats/${id(5)}`);
  },
};

export const TestDeeplyNested: Story = {
  name: "(Test) Deeply nested chats are indented and do not overflow the sidebar",
  ...deeplyNested,
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas }) => {
    const group = canvas.getByRole("region", { name: "Recent" });
    await expect(group.scrollWidth).toBeLessThanOrEqual(group.clientWidth);
    const starts = canvas.getAllByRole("link").map((link) => link.getBoundingClientRect().left);
    await expect(starts).toHaveLength(4);
    await expect(new Set(starts).size).toBe(4);
    await expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  },
};
