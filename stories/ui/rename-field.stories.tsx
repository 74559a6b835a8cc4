import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { RenameField } from "@/components/ui/rename-field";
import { showRules } from "../show-rules";

const meta = {
  component: RenameField,
  args: { label: "Chat title", value: "Old", maxLength: 200, onSave: fn(), onCancel: fn() },
} satisfies Meta<typeof RenameField>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Editing: Story = {};

export const TestEnter: Story = {
  name: "(Test) The name is selected at first and Enter saves it once, trimmed",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("textbox", { name: "Chat title" })).toHaveFocus();
    await userEvent.keyboard(" New {Enter}");
    await userEvent.tab();
    await expect(args.onSave).toHaveBeenCalledTimes(1);
    await expect(args.onSave).toHaveBeenCalledWith("New");
  },
};

export const TestEscape: Story = {
  name: "(Test) Escape cancels",
  play: async ({ args, userEvent }) => {
    await userEvent.keyboard("New{Escape}");
    await expect(args.onCancel).toHaveBeenCalledTimes(1);
    await expect(args.onSave).not.toHaveBeenCalled();
  },
};

export const TestBlank: Story = {
  name: "(Test) A blank name is not saved",
  play: async ({ args, userEvent }) => {
    await userEvent.keyboard("{Backspace}{Enter}");
    await expect(args.onCancel).toHaveBeenCalledTimes(1);
    await expect(args.onSave).not.toHaveBeenCalled();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [{ text: "Edit a name where it stands: Enter saves, Escape leaves it as it was." }],
    donts: [
      {
        text: "Do not use it for what others must agree to, or what can be refused: it has no place for an error.",
      },
    ],
  }),
};
