import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor, within } from "storybook/test";
import { FilesPanel } from "@/components/chat/files-panel";
import type { ChatFile } from "@/contract/file";
import { tidesCsv, tidesImage } from "../tool-cards/files";

const CHAT_ID = "0198c0de-0000-7000-8000-0000000000a1";

const file = (changes: Partial<ChatFile>): ChatFile => ({
  ...tidesCsv,
  chat_id: CHAT_ID,
  tool_call_id: null,
  created_at: "2026-03-12T12:00:00.000Z",
  ...changes,
});

const FILES = [
  file({}),
  file({ ...tidesImage, tool_call_id: "call_1" }),
  file({ id: "a3", name: `${"a long name ".repeat(9)}.csv` }),
  file({ id: "a4", name: "report.md", tool_call_id: "call_2", chat_id: "an agent" }),
];

const meta = {
  component: FilesPanel,
  args: {
    open: true,
    onClose: fn(),
    chatId: CHAT_ID,
    files: {
      state: "ready",
      value: { data: FILES, total_count: 4, total_size: 8_400 },
      isRefreshing: false,
    },
    onReload: fn(),
    onLoadMore: undefined,
    isLoadingMore: false,
    hasMoreFailed: false,
  },
} satisfies Meta<typeof FilesPanel>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Several: Story = {
  play: async () => {
    const panel = within(await screen.findByRole("dialog", { name: "Files" }));
    await expect(panel.getByText("4 files, 8.2 KB")).toBeVisible();
    const rows = panel.getAllByRole("listitem");
    await expect(rows).toHaveLength(4);
    await expect(rows[0]).toHaveTextContent("sent on 12 Mar 2026");
    await expect(rows[1]).toHaveTextContent("made by a tool");
    await expect(rows[3]).toHaveTextContent("made by an agent");
  },
};
export const Empty: Story = {
  args: {
    files: {
      state: "ready",
      value: { data: [], total_count: 0, total_size: 0 },
      isRefreshing: false,
    },
  },
};
export const Loading: Story = { args: { files: { state: "loading" } } };
export const LoadError: Story = {
  args: { files: { state: "failed", detail: "The server cannot be reached." } },
};
export const HasMore: Story = { args: { onLoadMore: fn() } };

export const TestImage: Story = {
  name: "(Test) An image is shown above the panel, and the panel is there after it",
  play: async ({ args, userEvent }) => {
    const panel = await screen.findByRole("dialog", { name: "Files" });
    await userEvent.click(within(panel).getByRole("link", { name: /tides\.png/ }));
    await screen.findByRole("dialog", { name: "tides.png" });
    await userEvent.click(screen.getAllByRole("button", { name: "Close" }).at(-1) ?? panel);
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "tides.png" })).toBeNull());
    await expect(panel).toBeVisible();
    await expect(args.onClose).not.toHaveBeenCalled();
  },
};

export const TestMore: Story = {
  name: "(Test) More files are loaded when the end is in view",
  args: { onLoadMore: fn() },
  play: async ({ args }) => {
    await screen.findByRole("dialog", { name: "Files" });
    await waitFor(() => expect(args.onLoadMore).toHaveBeenCalled());
  },
};
