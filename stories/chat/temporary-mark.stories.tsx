import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import TemporaryMark from "@/components/chat/temporary-mark";
import { showStates } from "../show-states";

const meta = {
  component: TemporaryMark,
  args: { expiresAt: "2026-03-13T12:00:00.000Z", onKeep: fn() },
} satisfies Meta<typeof TemporaryMark>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, { Default: {} });

export const Open: Story = {
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Temporary" }));
    const dialog = await screen.findByRole("dialog", { name: "Temporary chat" });
    await expect(dialog).toHaveTextContent(/deleted with its files on Mar 13, 2026/);
    await userEvent.click(screen.getByRole("button", { name: "Keep this chat" }));
    await expect(args.onKeep).toHaveBeenCalledOnce();
  },
};
