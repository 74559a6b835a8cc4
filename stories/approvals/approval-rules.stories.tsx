import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, within } from "storybook/test";
import { ApprovalRules } from "@/components/approvals/approval-rules";
import type { ApprovalRule } from "@/contract/approval-rule";
import { showStates } from "../show-states";
import { failed, ready, UNAVAILABLE } from "../settings/fixtures";

const FILES: ApprovalRule = {
  id: "0198c0de-0000-7000-8000-000000000051",
  chat_id: "0198c0de-0000-7000-8000-000000000052",
  chat_title: "Tidy the notes",
  tool_name: "write_file",
  scope: null,
  pattern: null,
  created_by: "ada",
  created_at: "2026-03-10T12:00:00.000Z",
};
const COMMAND: ApprovalRule = {
  ...FILES,
  id: "0198c0de-0000-7000-8000-000000000053",
  chat_title: "Why do the tests of the billing service fail on Mondays?",
  tool_name: "exec",
  scope: { command: "npm test", cwd: "billing", env: { CI: "1" }, pty: false },
};

const PATTERN: ApprovalRule = {
  ...COMMAND,
  id: "0198c0de-0000-7000-8000-000000000054",
  chat_id: null,
  chat_title: null,
  scope: { command: "npm run *", cwd: "", env: {}, pty: false },
  pattern: "npm run *",
};

const meta = {
  component: ApprovalRules,
  args: {
    rules: ready([FILES, COMMAND, PATTERN]),
    onReload: fn(),
    onLoadMore: undefined,
    isLoadingMore: false,
    onRevoke: fn(),
    onNavigate: fn(),
    revokingId: undefined,
    isRevoked: false,
    revokeProblem: undefined,
  },
} satisfies Meta<typeof ApprovalRules>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Many: {
    play: async ({ canvas }) => {
      const [files, command, pattern] = canvas.getAllByRole("listitem");
      if (!files || !command || !pattern) throw new Error("a row is missing");
      await expect(files).toHaveTextContent("Every call in Tidy the notes, since 10 Mar 2026");
      await expect(command).toHaveTextContent("Calls with exactly these values");
      await expect(within(command).getByRole("group", { name: "Command" })).toHaveTextContent(
        "npm test",
      );
      await expect(pattern).toHaveTextContent(
        "match the pattern, with these values, in all your chats",
      );
      await expect(pattern).toHaveTextContent("npm run *");
      await expect(
        within(pattern).getByRole("button", { name: "Revoke Exec in all your chats" }),
      ).toBeVisible();
      await expect(canvas.queryByRole("button", { name: "Show more" })).toBeNull();
    },
  },
  Empty: {
    args: { rules: ready([]) },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/No chat of yours/)).toBeVisible();
    },
  },
  Loading: { args: { rules: { state: "loading" } } },
  "Load error": { args: { rules: failed } },
  Revoking: { args: { revokingId: FILES.id } },
});

export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async () => {
    await expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
  },
};

export const RevokeError: Story = {
  args: { revokeProblem: UNAVAILABLE },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Revoke Write file/ }));
    await expect(canvas.getByRole("alert")).toHaveTextContent(
      "Write file in “Tidy the notes” was not revoked",
    );
  },
};

export const TestRevoke: Story = {
  name: "(Test) Revoke works with the keyboard",
  play: async ({ args, canvas, userEvent }) => {
    canvas.getByRole("button", { name: "Revoke Write file in “Tidy the notes”" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onRevoke).toHaveBeenCalledWith(FILES.id);
  },
};

export const TestMore: Story = {
  name: "(Test) More rules are loaded on request",
  args: { onLoadMore: fn() },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Show more" }));
    await expect(args.onLoadMore).toHaveBeenCalledOnce();
  },
};
