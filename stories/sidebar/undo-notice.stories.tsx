import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { UndoNotice } from "@/components/sidebar/undo-notice";

const meta = {
  component: UndoNotice,
  args: {
    lastAction: { message: "Chat archived.", chatTitle: "Tides around Oban", undo: fn() },
  },
  render: (args) => (
    <div className="w-72 max-w-full">
      <UndoNotice {...args} />
    </div>
  ),
} satisfies Meta<typeof UndoNotice>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Archived: Story = {};
export const LongTitle: Story = {
  args: {
    lastAction: {
      message: "Deleting the chat, its messages and its files.",
      chatTitle: "Sail inventory ".repeat(14),
      undo: fn(),
    },
  },
};
export const Nothing: Story = { args: { lastAction: undefined } };

export const TestUndo: Story = {
  name: "(Test) The action is announced and can be undone with the keyboard",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent("Chat archived. Tides around Oban");
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    await expect(args.lastAction?.undo).toHaveBeenCalledTimes(1);
  },
};

export const TestLongTitle: Story = {
  name: "(Test) A long title is shortened, and the sentence is not",
  ...LongTitle,
  play: async ({ canvas }) => {
    const sentence = canvas.getByText(/Deleting the chat, its messages and its files\./);
    await expect(sentence.scrollHeight).toBeLessThanOrEqual(sentence.clientHeight + 1);
    await expect(sentence.closest("[role=status]")).toHaveTextContent(/Undo$/);
  },
};

export const TestNothing: Story = {
  name: "(Test) With nothing to undo the live region is empty",
  ...Nothing,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toBeEmptyDOMElement();
  },
};
