import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { AccountFrame } from "@/components/account/account-frame";
import { describeHostMismatch } from "@/lib/describe-host-mismatch";

const meta = {
  component: AccountFrame,
  args: { title: "Sign in", lead: "Your chats are on this server." },
} satisfies Meta<typeof AccountFrame>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Default: Story = {};

export const ReplacedHost: Story = {
  name: "A proxy replaces the host, and a sign-in fails",
  args: {
    problem: describeHostMismatch({ origin: "http://chat.lan:8080", request: "127.0.0.1:3000" }),
  },
  play: async ({ canvas }) => {
    const notice = await canvas.findByRole("status");
    for (const word of [
      "chat.lan:8080",
      "127.0.0.1:3000",
      "proxy_set_header Host",
      "PARLEY_PUBLIC_URL",
    ]) {
      await expect(notice).toHaveTextContent(word);
    }
  },
};
