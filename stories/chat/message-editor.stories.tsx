import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import MessageEditor from "@/components/chat/message-editor";
import type { FilePart } from "@/contract/part";
import { showStates } from "../show-states";
import { tidesCsv, tidesImage } from "../tool-cards/files";

const FILES: FilePart[] = [tidesImage, tidesCsv].map(({ id, ...file }) => ({
  type: "file",
  file_id: id,
  ...file,
}));

const meta = {
  component: MessageEditor,
  args: {
    text: "Saturday?",
    files: [],
    hasLaterMessages: true,
    isSaving: false,
    onSave: fn(),
    onCancel: fn(),
  },
} satisfies Meta<typeof MessageEditor>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "With later messages": {},
  "Last message": { args: { hasLaterMessages: false } },
  "With files": { args: { files: FILES } },
  Saving: { args: { isSaving: true } },
});

export const TestSave: Story = {
  name: "(Test) Shift+Enter adds a line break and Enter sends",
  play: async ({ args, canvas, userEvent }) => {
    const box = canvas.getByRole("textbox", { name: "Message" });
    await expect(canvas.getByText("What follows is kept as another version.")).toBeVisible();
    await userEvent.clear(box);
    await userEvent.type(box, "one{Shift>}{Enter}{/Shift}two{Enter}");
    await expect(args.onSave).toHaveBeenCalledWith({ text: "one\ntwo", fileIds: [] });
  },
};

export const TestCaretAtEnd: Story = {
  name: "(Test) The caret starts at the end of the message",
  play: async ({ canvas, userEvent }) => {
    const box = canvas.getByRole("textbox", { name: "Message" });
    await expect(box).toHaveFocus();
    await userEvent.keyboard(" Or Sunday?");
    await expect(box).toHaveValue("Saturday? Or Sunday?");
  },
};

export const TestCancel: Story = {
  name: "(Test) Escape cancels",
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

export const TestCommand: Story = {
  args: { text: "/weather:ask Bonn" },
  name: "(Test) A command is sent as text only after a question",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "{Enter}");
    await screen.findByRole("alertdialog", { name: "Commands can only be used in new messages" });
    await expect(args.onSave).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole("button", { name: "Send as a message" }));
    await expect(args.onSave).toHaveBeenCalledWith({ text: "/weather:ask Bonn", fileIds: [] });
  },
};

export const TestFiles: Story = {
  args: { files: FILES },
  name: "(Test) Files stay with the message, or are removed, and it may have only them",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Remove tides.png" }));
    await userEvent.clear(canvas.getByRole("textbox", { name: "Message" }));
    await userEvent.keyboard("{Enter}");
    await expect(args.onSave).toHaveBeenCalledWith({ text: "", fileIds: [tidesCsv.id] });
  },
};
