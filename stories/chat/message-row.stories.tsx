import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { MessageRow } from "@/components/chat/message-row";
import { assistantMessage, id, messageActions, NOW, text, toolCall, userMessage } from "./fixtures";

const question = {
  message: userMessage(1, "Saturday?"),
  isLast: false,
  endsTurn: false,
  dimmed: false,
};
const answer = {
  message: assistantMessage(2, [text("From 09:40 to 12:10.")]),
  isLast: true,
  endsTurn: true,
  dimmed: false,
};
const editing = { ...messageActions, editingId: id(1) };

const meta = {
  component: MessageRow,
  args: { placed: answer, actions: messageActions, now: NOW },
} satisfies Meta<typeof MessageRow>;
export default meta;
type Story = StoryObj<typeof meta>;

export const LastAnswer: Story = {};
export const EarlierAnswer: Story = { args: { placed: { ...answer, isLast: false } } };
export const StepOfATurn: Story = {
  args: {
    placed: {
      ...answer,
      message: assistantMessage(2, [toolCall("read_file")]),
      isLast: false,
      endsTurn: false,
    },
  },
};
export const Question: Story = { args: { placed: question } };
export const System: Story = {
  args: { placed: { ...question, message: { ...question.message, role: "system" } } },
};
export const Editing: Story = { args: { placed: question, actions: editing } };
export const EditingTheLast: Story = {
  args: { placed: { ...question, isLast: true }, actions: editing },
};
export const SavingEdit: Story = {
  args: { placed: question, actions: { ...editing, savingEdit: true } },
};
export const Dimmed: Story = { args: { placed: { ...answer, dimmed: true }, actions: editing } };
export const NotEditable: Story = {
  args: { placed: question, actions: { ...messageActions, onEditStart: undefined } },
};
export const NotRegenerable: Story = {
  args: { actions: { ...messageActions, onRegenerate: undefined } },
};

export const TestRegenerate: Story = {
  name: "(Test) The last answer can be made again",
  play: async ({ args, canvas, userEvent }) => {
    canvas.getByRole("button", { name: "Regenerate answer" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.actions.onRegenerate).toHaveBeenCalledTimes(1);
  },
};

export const TestEarlier: Story = {
  name: "(Test) An earlier answer can be copied, but not made again",
  ...EarlierAnswer,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: "Copy answer" })).toBeInTheDocument();
    await expect(canvas.queryByRole("button", { name: "Regenerate answer" })).toBeNull();
  },
};

export const TestStep: Story = {
  name: "(Test) A step in the middle of its turn has no actions of its own",
  ...StepOfATurn,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("article", { name: "Assistant" })).toHaveTextContent("Read file");
    await expect(canvas.queryByRole("button", { name: /answer$/ })).toBeNull();
  },
};

export const TestEditStart: Story = {
  name: "(Test) An edit names the message by its id",
  ...Question,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Edit message" }));
    await expect(args.actions.onEditStart).toHaveBeenCalledWith(id(1));
  },
};

export const TestEdit: Story = {
  name: "(Test) The edited message is saved by its id, or left by Escape",
  ...Editing,
  play: async ({ args, canvas, userEvent }) => {
    const box = canvas.getByRole("textbox", { name: "Message" });
    await expect(box).toHaveFocus();
    await expect(box).toHaveValue("Saturday?");
    await expect(canvas.getByText("Sending removes all later messages.")).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect(args.actions.onEditCancel).toHaveBeenCalledTimes(1);
    await userEvent.type(box, " Or Sunday?{Enter}");
    await expect(args.actions.onEditSave).toHaveBeenCalledWith(id(1), "Saturday? Or Sunday?");
  },
};

export const TestEditLast: Story = {
  name: "(Test) An edit of the last message removes nothing and says so",
  ...EditingTheLast,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("Sending asks for a new answer.")).toBeVisible();
  },
};

export const TestSavingOnce: Story = {
  name: "(Test) An edit on its way is not sent again",
  ...SavingEdit,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Message" }), "{Enter}");
    await userEvent.click(canvas.getByRole("button", { name: "Send" }));
    await expect(args.actions.onEditSave).not.toHaveBeenCalled();
  },
};

export const TestDimmed: Story = {
  name: "(Test) A row that will be gone is shown but cannot be reached",
  ...Dimmed,
  play: async ({ canvas }) => {
    await expect(await canvas.findByText("From 09:40 to 12:10.")).toBeVisible();
    const copy = canvas.getByRole("button", { name: "Copy answer" });
    copy.focus();
    await expect(copy).not.toHaveFocus();
  },
};

export const TestNotEditable: Story = {
  name: "(Test) While nothing can be edited, Edit is not offered",
  ...NotEditable,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: "Copy message" })).toBeInTheDocument();
    await expect(canvas.queryByRole("button", { name: "Edit message" })).toBeNull();
  },
};

export const TestNotRegenerable: Story = {
  name: "(Test) While no answer can be made again, Regenerate is not offered",
  ...NotRegenerable,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: "Copy answer" })).toBeInTheDocument();
    await expect(canvas.queryByRole("button", { name: "Regenerate answer" })).toBeNull();
  },
};

export const TestSystem: Story = {
  name: "(Test) A system message is a line of text, nobody’s bubble",
  ...System,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("Saturday?")).toBeVisible();
    await expect(canvas.queryByRole("article")).toBeNull();
    await expect(canvas.queryByRole("button")).toBeNull();
  },
};
