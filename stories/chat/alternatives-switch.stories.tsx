import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, waitFor } from "storybook/test";
import { useState } from "react";
import AlternativesSwitch from "@/components/chat/alternatives-switch";
import { showStates } from "../show-states";
import { id } from "./fixtures";

const ids = [id(2), id(4), id(6)];
const answer = (index: number) => ({ role: "assistant" as const, alternatives: { index, ids } });

const meta = {
  component: AlternativesSwitch,
  args: { message: answer(2), isLast: false, onChoose: fn() },
} satisfies Meta<typeof AlternativesSwitch>;
export default meta;
type Story = StoryObj<typeof meta>;

const unanswered = {
  role: "user" as const,
  alternatives: { index: 1, ids },
  former_answers: [id(7)],
};

export const States: Story = showStates(meta, {
  "In the middle": {},
  First: { args: { message: { role: "user", alternatives: { index: 1, ids } } } },
  Last: { args: { message: answer(3) } },
  "A message without its former answer": {
    args: { message: unanswered, isLast: true },
    play: async ({ canvas }) => {
      const group = canvas.getByRole("group", { name: "Version 2 of 2 of the answer" });
      await expect(group).toBeVisible();
    },
  },
  "The same message with an answer": {
    args: { message: unanswered },
    play: async ({ canvas }) => {
      const group = canvas.getByRole("group", { name: "Version 1 of 3 of your message" });
      await expect(group).toBeVisible();
    },
  },
  Many: {
    args: {
      message: {
        role: "assistant",
        alternatives: { index: 100, ids: Array.from({ length: 101 }, (_, index) => id(index)) },
      },
    },
  },
});

export const Disabled: Story = {
  render: ({ message }) => <AlternativesSwitch message={message} isLast={false} />,
};

export const TestMissing: Story = {
  name: "(Test) An answer that may not be there yet is not shown as none",
  render: () => <AlternativesSwitch message={unanswered} isLast />,
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole("group")).toBeNull();
  },
};

/** Shows the chosen version in a row of its own, as a chat does. */
const Chosen = ({ onChoose }: { onChoose: (messageId: string) => void }) => {
  const [index, setIndex] = useState(2);
  const choose = (messageId: string): void => {
    onChoose(messageId);
    setIndex(ids.indexOf(messageId) + 1);
  };
  return (
    <AlternativesSwitch key={index} message={answer(index)} isLast={false} onChoose={choose} />
  );
};

export const TestKeyboard: Story = {
  name: "(Test) Versions are chosen by keyboard, and the focus stays at the button",
  render: ({ onChoose }) => (
    <Chosen
      onChoose={(messageId) => {
        onChoose?.(messageId);
      }}
    />
  ),
  play: async ({ args, canvas, userEvent }) => {
    const button = (direction: string) =>
      canvas.getByRole("button", { name: `${direction} version` });
    button("Next").focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onChoose).toHaveBeenLastCalledWith(id(6));
    // There is none after the last, so that the other button has the focus.
    await waitFor(() => expect(button("Previous")).toHaveFocus());
    await expect(button("Next")).toBeDisabled();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(button("Previous")).toHaveFocus());
    await userEvent.keyboard("{Enter}");
    await expect(args.onChoose).toHaveBeenLastCalledWith(id(2));
    await waitFor(() => expect(button("Next")).toHaveFocus());
    await expect(canvas.getByRole("group", { name: /^Version 1 of 3/ })).toBeVisible();
  },
};
