import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import OpenConfirmDialog from "@/components/ui/open-confirm-dialog";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: OpenConfirmDialog,
  args: {
    open: true,
    onOpenChange: fn(),
    onConfirm: fn(),
    title: "Replace the answer?",
    message: "It is written again.",
    confirmLabel: "Replace",
  },
} satisfies Meta<typeof OpenConfirmDialog>;
export default meta;
type Story = StoryObj<typeof meta>;

/** The focus moves into a dialog in the frame after it appeared. */
const waitForFocus = (name: string): Promise<void> =>
  waitFor(() => expect(screen.getByRole("button", { name })).toHaveFocus());

const harmless: Story = { args: { isDestructive: false, dismissLabel: "Keep it" } };

export const States: Story = showStates(meta, {
  Destructive: {},
  Harmless: harmless,
  "Long texts": {
    args: { title: "a-long-name-".repeat(12), message: "What happens then. ".repeat(20) },
  },
});

export const TestFocus: Story = {
  name: "(Test) It has a name and a description, and the dismissing button has the focus",
  ...harmless,
  play: async () => {
    const dialog = await screen.findByRole("alertdialog", { name: "Replace the answer?" });
    await expect(dialog).toHaveAccessibleDescription("It is written again.");
    await waitForFocus("Keep it");
  },
};

export const TestEscape: Story = {
  name: "(Test) Escape closes it without confirming",
  play: async ({ args, userEvent }) => {
    await waitForFocus("Cancel");
    await userEvent.keyboard("{Escape}");
    await expect(args.onOpenChange).toHaveBeenCalledWith(false);
    await expect(args.onConfirm).not.toHaveBeenCalled();
  },
};

export const TestConfirm: Story = {
  name: "(Test) Tab reaches the confirming button, and Enter confirms once",
  play: async ({ args, userEvent }) => {
    await waitForFocus("Cancel");
    await userEvent.tab();
    await expect(screen.getByRole("button", { name: "Replace" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onConfirm).toHaveBeenCalledTimes(1);
    await expect(args.onOpenChange).toHaveBeenCalledWith(false);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say what is lost and what stays; the dismissing button has the focus.",
        example: <p>“The chat is deleted with its files. Your models stay.”</p>,
      },
    ],
    donts: [
      {
        text: "Do not name the dismissing button “Cancel” where the question is about cancelling.",
        example: <p>“Cancel the calls?” · “Cancel” · “OK”</p>,
      },
    ],
  }),
};
