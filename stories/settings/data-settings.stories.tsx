import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, within } from "storybook/test";
import { DataSettings } from "@/components/settings/data-settings";
import type { Import } from "@/contract/import";
import { showStates } from "../show-states";
import { failed, ready } from "./fixtures";

const DONE: Import = {
  id: "0198c0de-0000-7000-8000-000000000009",
  name: "chatgpt-export.zip",
  state: "completed",
  source: "chatgpt",
  size: 48_000_000,
  total_bytes: 160_000_000,
  read_bytes: 160_000_000,
  chats: 2_310,
  messages: 41_207,
  files: 120,
  known: 12,
  problems: 2,
  error: null,
  created_at: "2026-02-20T10:00:00Z",
  ended_at: "2026-02-20T10:02:00Z",
};
const RUNNING: Import = {
  ...DONE,
  id: "0198c0de-0000-7000-8000-00000000000a",
  name: "claude-export.zip",
  state: "running",
  source: "claude",
  read_bytes: 40_000_000,
  chats: 530,
  messages: 9_120,
  files: 0,
  known: 0,
  problems: 0,
  ended_at: null,
};
const FAILED: Import = {
  ...DONE,
  id: "0198c0de-0000-7000-8000-00000000000b",
  name: "a-name-of-an-archive-that-is-longer-than-a-phone-is-wide-2026-02-20.zip",
  state: "failed",
  chats: 0,
  messages: 0,
  files: 0,
  known: 0,
  problems: 0,
  error: "The server had an error.",
};

const meta = {
  component: DataSettings,
  args: {
    imports: ready([RUNNING, DONE, FAILED]),
    onReload: fn(),
    sent: undefined,
    onSend: fn(),
    onCancel: fn(),
    report: undefined,
    onReadReport: fn(),
    onDelete: fn(),
    deletingId: undefined,
    onExport: fn(),
    problem: undefined,
  },
} satisfies Meta<typeof DataSettings>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Many: {
    play: async ({ canvas }) => {
      const [running, done, broken] = canvas.getAllByRole("listitem");
      if (!running || !done || !broken) throw new Error("a row is missing");
      await expect(running).toHaveTextContent("Importing");
      await expect(within(running).getByRole("progressbar")).toHaveValue(25);
      await expect(done).toHaveTextContent("2,310 chats");
      await expect(done).toHaveTextContent("12 imported before");
      await expect(broken).toHaveTextContent("The server had an error.");
      await expect(canvas.getByRole("button", { name: "Choose an archive" })).toBeDisabled();
    },
  },
  Empty: {
    args: { imports: ready([]) },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Choose an archive" })).toBeEnabled();
      await expect(canvas.queryByRole("listitem")).toBeNull();
    },
  },
  Loading: {
    args: { imports: { state: "loading" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Loading imports…")).toBeVisible();
    },
  },
  "Sending an archive": {
    args: { imports: ready([]), sent: 0.4 },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("progressbar")).toHaveAccessibleName("Sending the archive");
      await expect(canvas.getByText("40 %")).toBeVisible();
    },
  },
  "Refused archive": {
    args: { imports: ready([]), problem: "This archive is encrypted." },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("alert")).toHaveTextContent("This archive is encrypted.");
    },
  },
});

export const LoadError: Story = {
  args: { imports: failed },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(args.onReload).toHaveBeenCalledOnce();
  },
};

export const TestReport: Story = {
  name: "(Test) Read the report",
  args: {
    imports: ready([DONE]),
    report: {
      importId: DONE.id,
      rows: [
        { title: "Tides", reason: "It has no messages." },
        { title: "Boats", reason: 'The file "boat.png" is missing: it is not in the archive.' },
      ],
    },
  },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /2 things were not imported/ }));
    await expect(args.onReadReport).toHaveBeenCalledWith(DONE.id);
    await expect(canvas.getByText("It has no messages.")).toBeVisible();
  },
};

export const TestActions: Story = {
  name: "(Test) Send, export and remove",
  args: { imports: ready([DONE]) },
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Export all chats" }));
    await expect(args.onExport).toHaveBeenCalledOnce();
    const file = new File(["[]"], "export.zip");
    const input = canvasElement.querySelector("input");
    if (!input) throw new Error("there is no input");
    await userEvent.upload(input, file);
    await expect(args.onSend).toHaveBeenCalledWith(file);
    await userEvent.click(canvas.getByRole("button", { name: "Remove chatgpt-export.zip" }));
    const dialog = await screen.findByRole("alertdialog");
    await userEvent.click(within(dialog).getByRole("button", { name: "Remove" }));
    await expect(args.onDelete).toHaveBeenCalledWith(DONE.id);
  },
};
