import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { MessageRow } from "@/components/chat/message-row";
import { showStates } from "../show-states";
import { assistantMessage, id, messageActions, NOW, text, toolCall, userMessage } from "./fixtures";

const question = {
  message: userMessage(1, "Saturday?"),
  isLast: false,
  isTurnEnd: false,
  isDimmed: false,
};
const answer = {
  message: assistantMessage(2, [text("From 09:40 to 12:10.")]),
  isLast: true,
  isTurnEnd: true,
  isDimmed: false,
};
const editing = { ...messageActions, editingId: id(1) };

const meta = {
  component: MessageRow,
  args: { row: answer, actions: messageActions, now: NOW },
} satisfies Meta<typeof MessageRow>;
export default meta;
type Story = StoryObj<typeof meta>;

const questionState: Story = { args: { row: question } };
const editingState: Story = { args: { row: question, actions: editing } };
const savingEdit: Story = {
  args: { row: question, actions: { ...editing, isSavingEdit: true } },
};
const dimmed: Story = { args: { row: { ...answer, isDimmed: true }, actions: editing } };

export const States: Story = showStates(meta, {
  "Last answer": {},
  "An earlier answer can be copied but not regenerated": {
    args: { row: { ...answer, isLast: false } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Copy answer" })).toBeInTheDocument();
      await expect(canvas.queryByRole("button", { name: "Regenerate answer" })).toBeNull();
    },
  },
  "A step before the end of its turn has no actions": {
    args: {
      row: {
        ...answer,
        message: assistantMessage(2, [toolCall("read_file")]),
        isLast: false,
        isTurnEnd: false,
      },
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("article", { name: "Assistant" })).toHaveTextContent(
        "Read file",
      );
      await expect(canvas.queryByRole("button", { name: /answer$/ })).toBeNull();
    },
  },
  Question: questionState,
  "A system message is plain text, not an article": {
    args: { row: { ...question, message: { ...question.message, role: "system" } } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Saturday?")).toBeVisible();
      await expect(canvas.queryByRole("article")).toBeNull();
      await expect(canvas.queryByRole("button")).toBeNull();
    },
  },
  Editing: editingState,
  "Editing the last message announces a new answer": {
    args: { row: { ...question, isLast: true }, actions: editing },
    play: async ({ canvas }) => {
      await expect(await canvas.findByText("Sending asks for a new answer.")).toBeVisible();
    },
  },
  Saving: savingEdit,
  Dimmed: dimmed,
  "Without onEditStart there is no Edit button": {
    args: { row: question, actions: { ...messageActions, onEditStart: undefined } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Copy message" })).toBeInTheDocument();
      await expect(canvas.queryByRole("button", { name: "Edit message" })).toBeNull();
    },
  },
  "Without onRegenerate there is no Regenerate button": {
    args: { actions: { ...messageActions, onRegenerate: undefined } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Copy answer" })).toBeInTheDocument();
      await expect(canvas.queryByRole("button", { name: "Regenerate answer" })).toBeNull();
    },
  },
});

export const TestRegenerate: Story = {
  name: "(Test) The last answer can be regenerated",
  play: async ({ args, canvas, userEvent }) => {
    canvas.getByRole("button", { name: "Regenerate answer" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.actions.onRegenerate).toHaveBeenCalledTimes(1);
  },
};

export const TestEditStart: Story = {
  name: "(Test) Edit calls onEditStart with the message id",
  ...questionState,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Edit message" }));
    await expect(args.actions.onEditStart).toHaveBeenCalledWith(id(1));
  },
};

export const TestEdit: Story = {
  name: "(Test) Escape cancels an edit and Enter saves it with the message id",
  ...editingState,
  play: async ({ args, canvas, userEvent }) => {
    const box = canvas.getByRole("textbox", { name: "Message" });
    await expect(box).toHaveFocus();
    await expect(box).toHaveValue("Saturday?");
    await expect(canvas.getByText("What follows is kept as another version.")).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect(args.actions.onEditCancel).toHaveBeenCalledTimes(1);
    await userEvent.type(box, " Or Sunday?{Enter}");
    await expect(args.actions.onEditSave).toHaveBeenCalledWith(id(1), {
      text: "Saturday? Or Sunday?",
      before: "Saturday?",
      fileIds: [],
    });
  },
};

export const TestSavingOnce: Story = {
  name: "(Test) An edit being saved is not sent again",
  ...savingEdit,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "{Enter}");
    await userEvent.click(canvas.getByRole("button", { name: "Send" }));
    await expect(args.actions.onEditSave).not.toHaveBeenCalled();
  },
};

export const TestDimmed: Story = {
  name: "(Test) A dimmed row is visible but cannot get the focus",
  ...dimmed,
  play: async ({ canvas }) => {
    await expect(await canvas.findByText("From 09:40 to 12:10.")).toBeVisible();
    const copy = canvas.getByRole("button", { name: "Copy answer" });
    copy.focus();
    await expect(copy).not.toHaveFocus();
  },
};
