import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { UndoNotice } from "@/components/sidebar/undo-notice";
import { showStates } from "../show-states";

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

export const States: Story = showStates(meta, {
  Archived: {},
  "A long title is shortened, and the sentence is not": {
    args: {
      lastAction: {
        message: "Deleting the chat, its messages and its files.",
        chatTitle: "Sail inventory ".repeat(14),
        undo: fn(),
      },
    },
    play: async ({ canvas }) => {
      const sentence = canvas.getByText(/Deleting the chat, its messages and its files\./);
      await expect(sentence.scrollHeight).toBeLessThanOrEqual(sentence.clientHeight + 1);
      await expect(sentence.closest("[role=status]")).toHaveTextContent(/Undo$/);
    },
  },
  "Empty: nothing to undo": {
    args: { lastAction: undefined },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toBeEmptyDOMElement();
    },
  },
});

export const TestUndo: Story = {
  name: "(Test) The action is announced and can be undone with the keyboard",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent("Chat archived. Tides around Oban");
    await userEvent.tab();
    await userEvent.keyboard("{Enter}");
    await expect(args.lastAction?.undo).toHaveBeenCalledTimes(1);
  },
};
