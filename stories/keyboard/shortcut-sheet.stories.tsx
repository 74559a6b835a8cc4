import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { ShortcutSheet } from "@/components/keyboard/shortcut-sheet";

const meta = {
  component: ShortcutSheet,
  args: {
    hasSingleKeys: true,
    hasCommandKey: false,
    onSingleKeysChange: fn(),
    onClose: fn(),
  },
} satisfies Meta<typeof ShortcutSheet>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Default: Story = {
  play: async () => {
    await expect(screen.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    const term = screen.getByText("Find chats, actions and settings");
    await expect(term.nextElementSibling).toHaveTextContent("CtrlK");
  },
};

export const OfAMac: Story = {
  args: { hasCommandKey: true },
  play: async () => {
    const term = screen.getByText("Find chats, actions and settings");
    await expect(term.nextElementSibling).toHaveTextContent("⌘K");
  },
};

export const WithoutSingleKeys: Story = { args: { hasSingleKeys: false } };

export const Narrow: Story = { globals: { viewport: { value: "mobile1" } } };

export const TestSingleKeys: Story = {
  name: "(Test) The switch turns the shortcuts of a single key off",
  play: async ({ args, userEvent }) => {
    await userEvent.click(screen.getByRole("switch", { name: "Shortcuts of a single key" }));
    await expect(args.onSingleKeysChange).toHaveBeenCalledWith(false);
  },
};

export const TestClose: Story = {
  name: "(Test) Close has the focus and calls onClose",
  play: async ({ args, userEvent }) => {
    await expect(screen.getByRole("button", { name: "Close" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(args.onClose).toHaveBeenCalledOnce());
  },
};
