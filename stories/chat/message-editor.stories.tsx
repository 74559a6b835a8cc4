import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { MessageEditor } from "@/components/chat/message-editor";

const meta = {
  component: MessageEditor,
  args: { text: "Saturday?", hasLater: true, saving: false, onSave: fn(), onCancel: fn() },
} satisfies Meta<typeof MessageEditor>;
export default meta;
type Story = StoryObj<typeof meta>;

export const WithLaterMessages: Story = {};
export const LastMessage: Story = { args: { hasLater: false } };
export const Saving: Story = { args: { saving: true } };

export const TestSave: Story = {
  name: "(Test) Shift+Enter breaks the line, Enter sends",
  play: async ({ args, canvas, userEvent }) => {
    const box = canvas.getByRole("textbox", { name: "Message" });
    await expect(canvas.getByText("Sending removes all later messages.")).toBeVisible();
    await userEvent.clear(box);
    await userEvent.type(box, "one{Shift>}{Enter}{/Shift}two{Enter}");
    await expect(args.onSave).toHaveBeenCalledWith("one\ntwo");
  },
};

export const TestGoesOn: Story = {
  name: "(Test) Writing goes on at the end of the message",
  play: async ({ canvas, userEvent }) => {
    const box = canvas.getByRole("textbox", { name: "Message" });
    await expect(box).toHaveFocus();
    await userEvent.keyboard(" Or Sunday?");
    await expect(box).toHaveValue("Saturday? Or Sunday?");
  },
};

export const TestCancel: Story = {
  name: "(Test) Escape steps back",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "more{Escape}");
    await expect(args.onCancel).toHaveBeenCalledTimes(1);
    await expect(args.onSave).not.toHaveBeenCalled();
  },
};

export const TestBlank: Story = {
  name: "(Test) A blank message cannot be sent",
  play: async ({ args, canvas, userEvent }) => {
    const box = canvas.getByRole("textbox", { name: "Message" });
    await userEvent.clear(box);
    await userEvent.type(box, "  {Enter}");
    await expect(args.onSave).not.toHaveBeenCalled();
    await expect(canvas.getByRole("button", { name: "Send" })).toBeDisabled();
  },
};
