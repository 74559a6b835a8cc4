import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { ApiKeyRow } from "@/components/account/api-key-row";
import { DetailList } from "@/components/ui/detail-list";
import { showStates } from "../show-states";
import { KEYS, NOW } from "../settings/fixtures";

const meta = {
  component: ApiKeyRow,
  args: { apiKey: KEYS.KEY, now: NOW, onRevoke: fn(), isRevoking: false },
  render: (args) => (
    <DetailList>
      <ApiKeyRow {...args} />
    </DetailList>
  ),
} satisfies Meta<typeof ApiKeyRow>;
export default meta;
type Story = StoryObj<typeof meta>;

const expired: Story = {
  args: { apiKey: KEYS.EXPIRED },
  play: async ({ canvas }) => {
    await expect(canvas.getByText("Expired")).toBeVisible();
    await expect(canvas.getByText("Expired 11 Mar 2026")).toBeVisible();
  },
};

export const States: Story = showStates(meta, {
  Used: {
    play: async ({ canvas }) => {
      const row = canvas.getByRole("listitem");
      for (const text of [
        "Nightly report",
        "Chat",
        "parley_q7Tz0…",
        "Created 10 Mar 2026",
        "Last used 5 minutes ago",
        "Expires 10 Jun 2026",
      ]) {
        await expect(row).toHaveTextContent(text);
      }
      await expect(row).not.toHaveTextContent("Expired");
    },
  },
  "Never used": {
    args: { apiKey: KEYS.NEVER_USED },
    play: async ({ canvas }) => {
      const row = canvas.getByRole("listitem");
      await expect(row).toHaveTextContent("Never used");
      await expect(row).toHaveTextContent("Never expires");
    },
  },
  Restricted: {
    args: { apiKey: KEYS.RUNNER },
    play: async ({ canvas }) => {
      const row = canvas.getByRole("listitem");
      for (const text of [
        "Answer calls",
        "Tools: restart_*, measure",
        "Chats with app=slackbot, team=db",
      ]) {
        await expect(row).toHaveTextContent(text);
      }
    },
  },
  "Expires soon": {
    args: {
      apiKey: { ...KEYS.KEY, expires_at: new Date(NOW + 12_000).toISOString() },
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Expires in 12s")).toBeVisible();
    },
  },
  Expired: expired,
  "From environment": {
    args: { apiKey: KEYS.FROM_ENVIRONMENT },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Set on the server")).toBeVisible();
      await expect(canvas.getByText("Change it with PARLEY_API_KEY on the server")).toBeVisible();
    },
  },
});

export const Revoking: Story = {
  args: { isRevoking: true },
  play: async ({ canvas, userEvent }) => {
    const revoke = canvas.getByRole("button", { name: "Revoke Nightly report" });
    await expect(revoke).toHaveAttribute("aria-busy", "true");
    await userEvent.click(revoke);
    await expect(screen.queryByRole("alertdialog")).toBeNull();
  },
};

export const LongName: Story = {
  args: { apiKey: KEYS.LONG },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const Dark: Story = {
  ...expired,
  render: (args) => (
    <div data-theme="dark" className="p-4">
      <DetailList>
        <ApiKeyRow {...args} />
      </DetailList>
    </div>
  ),
};

export const TestRevoke: Story = {
  name: "(Test) A key is revoked after a confirmation that says what stops",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Revoke Nightly report" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Revoke “Nightly report”?" });
    await expect(dialog).toHaveAccessibleDescription(/Programs that use this key are refused/);
    await expect(args.onRevoke).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole("button", { name: "Revoke key" }));
    await expect(args.onRevoke).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  },
};

export const TestKeep: Story = {
  name: "(Test) Escape keeps the key and returns the focus",
  play: async ({ args, canvas, userEvent }) => {
    const revoke = canvas.getByRole("button", { name: "Revoke Nightly report" });
    await userEvent.click(revoke);
    await screen.findByRole("alertdialog");
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(revoke).toHaveFocus());
    await expect(args.onRevoke).not.toHaveBeenCalled();
  },
};
