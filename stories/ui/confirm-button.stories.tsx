import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { doNothing } from "../do-nothing";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: ConfirmButton,
  args: {
    children: "Revoke",
    "aria-label": "Revoke Nightly report",
    title: "Revoke “Nightly report”?",
    message: "You cannot undo this.",
    confirmLabel: "Revoke key",
    onConfirm: fn(),
  },
} satisfies Meta<typeof ConfirmButton>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Normal: {},
  Small: { args: { size: "sm" } },
  Busy: { args: { isBusy: true } },
  Disabled: { args: { disabled: true } },
});

export const TestConfirm: Story = {
  name: "(Test) It asks before it acts; Escape does nothing and returns the focus",
  play: async ({ args, canvas, userEvent }) => {
    const button = canvas.getByRole("button", { name: "Revoke Nightly report" });
    await userEvent.click(button);
    await screen.findByRole("alertdialog", { name: "Revoke “Nightly report”?" });
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(button).toHaveFocus());
    await expect(args.onConfirm).not.toHaveBeenCalled();
    await userEvent.click(button);
    await userEvent.click(await screen.findByRole("button", { name: "Revoke key" }));
    await expect(args.onConfirm).toHaveBeenCalledOnce();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Ask before what cannot be undone, and name the thing in the question.",
        example: (
          <ConfirmButton
            title="Delete “Sail inventory”?"
            message="Its messages and files are deleted, too."
            confirmLabel="Delete chat"
            onConfirm={doNothing}
          >
            Delete
          </ConfirmButton>
        ),
      },
    ],
    donts: [
      {
        text: "Do not ask where the action can be undone: offer “Undo” afterwards.",
        example: (
          <ConfirmButton
            title="Archive it?"
            message="Are you sure?"
            confirmLabel="Yes"
            onConfirm={doNothing}
          >
            Archive
          </ConfirmButton>
        ),
      },
    ],
  }),
};
