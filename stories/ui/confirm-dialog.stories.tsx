import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { showRules } from "../show-rules";

const meta = {
  component: ConfirmDialog,
  args: {
    open: true,
    onOpenChange: fn(),
    title: "Delete “Sailing plans”?",
    message: "The chat, its messages and its files are removed for good.",
    confirmLabel: "Delete chat",
    onConfirm: fn(),
  },
} satisfies Meta<typeof ConfirmDialog>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Open: Story = {};

export const TestConfirm: Story = {
  name: "(Test) Confirming calls onConfirm and closes the dialog",
  play: async ({ args, userEvent }) => {
    await screen.findByRole("alertdialog", { name: "Delete “Sailing plans”?" });
    await userEvent.click(screen.getByRole("button", { name: "Delete chat" }));
    await expect(args.onConfirm).toHaveBeenCalledTimes(1);
    await expect(args.onOpenChange).toHaveBeenCalledWith(false);
  },
};

export const TestCancel: Story = {
  name: "(Test) Cancel closes the dialog without confirming",
  play: async ({ args, userEvent }) => {
    await screen.findByRole("alertdialog");
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await expect(args.onConfirm).not.toHaveBeenCalled();
    await expect(args.onOpenChange).toHaveBeenCalledWith(false);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Ask in the title, say in the message what is lost, and repeat the verb on the button.",
        example: (
          <p>
            “Revoke “Nightly report”?” · “Programs that use it are refused at once.” · “Revoke key”
          </p>
        ),
      },
    ],
    donts: [
      {
        text: "Do not ask whether a person is sure: it names neither the thing nor the loss.",
        example: <p>“Are you sure?” · “OK”</p>,
      },
    ],
  }),
};
