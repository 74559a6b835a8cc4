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
    // The results of a search are not folded.
    search: "harbour",
    nodes: buildChatTree([
      ...CHATS.slice(0, 1),
      createChildChat(11, 1),
      createChildChat(12, 11),
      createChildChat(13, 12),
    ]),
  },
};

const foldButton = { name: "1 agent, of Tides around Oban" };
const chatLink = { name: /Look up mooring rules/ };

export const States: Story = showStates(meta, {
  Flat: {},
  "With active chat": { args: { activeChatId: id(4) } },
  "Agents are folded under their chat": {
    ...withChildChat,
    play: async ({ canvas }) => {
      const [parent] = canvas.getAllByRole("listitem");
      await expect(parent).toHaveTextContent("Tides around Oban");
      await expect(parent).toContainElement(canvas.getByRole("button", foldButton));
      await expect(canvas.queryByRole("link", chatLink)).toBeNull();
      const top = canvas.getAllByRole("list")[0];
      await expect(top?.children).toHaveLength(CHATS.length - 1);
    },
  },
  "Deeply nested": deeplyNested,
  "The heading names the group and the chats keep their order": {
    play: async ({ canvas }) => {
      const group = within(canvas.getByRole("group", { name: "Recent" }));
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
  name: "(Test) Tab moves from a chat to its agents, as each row is one stop",
  ...withChildChat,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("link", { name: /Tides around Oban/ })).toHaveFocus();
    await userEvent.tab();
    await expect(canvas.getByRole("button", foldButton)).toHaveFocus();
    await userEvent.keyboard("{Enter}");
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
    const group = canvas.getByRole("group", { name: "Recent" });
    await expect(group.scrollWidth).toBeLessThanOrEqual(group.clientWidth);
    const starts = canvas.getAllByRole("link").map((link) => link.getBoundingClientRect().left);
    await expect(starts).toHaveLength(4);
    await expect(new Set(starts).size).toBe(4);
    await expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  },
};

export const TestAgents: Story = {
  name: "(Test) The agents of a chat are shown and folded again",
  ...withChildChat,
  play: async ({ canvas, userEvent }) => {
    const fold = canvas.getByRole("button", foldButton);
    await expect(fold).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(fold);
    const [parent] = canvas.getAllByRole("listitem");
    await expect(parent).toContainElement(canvas.getByRole("link", chatLink));
    await userEvent.click(fold);
    await expect(canvas.queryByRole("link", chatLink)).toBeNull();
  },
};

export const TestCurrentAgent: Story = {
  name: "(Test) The agent on the screen is shown",
  args: { ...withChildChat.args, activeChatId: id(5) },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("link", chatLink)).toBeVisible();
  },
};

export const TestMore: Story = {
  name: "(Test) Of many rows the first are shown, and the others by a button",
  args: {
    nodes: buildChatTree(Array.from({ length: 9 }, (_, n) => sidebarChat(n + 1, `Row ${n + 1}`))),
    maxRows: 5,
  },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getAllByRole("link")).toHaveLength(5);
    await userEvent.click(canvas.getByRole("button", { name: "4 more" }));
    await expect(canvas.getAllByRole("link")).toHaveLength(9);
    await userEvent.click(canvas.getByRole("button", { name: "Show fewer" }));
    await expect(canvas.getAllByRole("link")).toHaveLength(5);
  },
};
