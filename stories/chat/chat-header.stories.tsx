import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { ChatHeader } from "@/components/chat/chat-header";
import { ChatMenu } from "@/components/chat/chat-menu";
import { showStates } from "../show-states";
import chatMenu from "./chat-menu.stories";
import { USAGE } from "./fixtures";

const PARENT_ID = "0198c0de-0000-7000-8000-0000000000a1";

const meta = {
  component: ChatHeader,
  args: {
    title: "Tides around Oban",
    warnings: [],
    parent: { id: null, title: undefined },
    onNavigate: fn(),
    context: { used_tokens: 12_400, limit_tokens: 200_000 },
    usage: USAGE,
    modelName: "Demo",
    onRename: fn(),
    renderMenu: (startRenaming) => (
      <ChatMenu
        {...chatMenu.args}
        items={[{ kind: "item", label: "Rename", onSelect: startRenaming }]}
      />
    ),
    onOpenSidebar: fn(),
    waitingCount: 0,
  },
} satisfies Meta<typeof ChatHeader>;
export default meta;
type Story = StoryObj<typeof meta>;

const withWarnings: Story = {
  args: { warnings: ["The tool “read_file” is built in, so yours of that name is not offered."] },
};
const branch: Story = {
  args: { origin: { id: PARENT_ID, title: "Tides around Skye" } },
};
const agent: Story = {
  args: { parent: { id: PARENT_ID, title: "Scottish harbors" } },
};

export const States: Story = showStates(meta, {
  Default: {},
  "Long title": { args: { title: "Tides around Oban and everything ".repeat(6) } },
  "With warnings": withWarnings,
  Branch: branch,
  "Branch of a deleted chat": {
    args: { origin: { id: null, title: "" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Branch of a deleted chat")).toBeVisible();
      await expect(canvas.queryByRole("link")).toBeNull();
    },
  },
  Agent: agent,
  "Agent of long title": {
    args: {
      title: "Tides around Oban and everything ".repeat(6),
      parent: { id: PARENT_ID, title: "Scottish harbors and all there is to know ".repeat(4) },
    },
  },
  "Before the title of the parent is known, the link is there already": {
    args: { parent: { id: PARENT_ID, title: undefined } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("link", { name: "Agent of another chat" })).toBeVisible();
    },
  },
});

export const TestAgent: Story = {
  name: "(Test) The chat of an agent says whose it is, and links back",
  ...agent,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("link", { name: "Agent of Scottish harbors" }));
    await expect(args.onNavigate).toHaveBeenCalledWith(`/chats/${PARENT_ID}`);
    await expect(canvas.getByRole("heading", { level: 1 })).toBeVisible();
  },
};

export const TestBranch: Story = {
  name: "(Test) A branch says what it is a branch of, and links back",
  ...branch,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("link", { name: "Branch of Tides around Skye" }));
    await expect(args.onNavigate).toHaveBeenCalledWith(`/chats/${PARENT_ID}`);
  },
};

export const TestRename: Story = {
  name: "(Test) The title can be edited in place",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Actions for this chat" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Rename" }));
    await expect(canvas.getByRole("textbox", { name: "Chat title" })).toHaveFocus();
    await userEvent.keyboard("Springs and neaps{Enter}");
    await expect(args.onRename).toHaveBeenCalledWith("Springs and neaps");
    await expect(canvas.getByRole("heading", { level: 1 })).toBeVisible();
  },
};

export const TestUsage: Story = {
  name: "(Test) The ring opens the context and usage",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(
      canvas.getByRole("button", { name: "Context 6% full: 12.4K of 200K tokens" }),
    );
    const popup = await screen.findByRole("dialog", { name: "Context and usage" });
    // The details are loaded when they open.
    await waitFor(() => expect(popup).toHaveTextContent("Input tokens84.2KOutput tokens3.1K"));
  },
};

export const TestWarnings: Story = {
  name: "(Test) The warnings button opens the warnings",
  ...withWarnings,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Warnings: 1" }));
    await expect(await screen.findByRole("dialog", { name: "Warnings" })).toHaveTextContent(
      "read_file",
    );
  },
};
