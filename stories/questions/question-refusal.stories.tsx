import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { RefusalButtons, RefusalNote } from "@/components/questions/question-refusal";
import { showStates } from "../show-states";

const meta = {
  component: RefusalNote,
  args: { refusal: "decline", onRevoke: fn(), isDisabled: false },
} satisfies Meta<typeof RefusalNote>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Declined: {},
  Cancelled: { args: { refusal: "cancel" } },
  Disabled: { args: { isDisabled: true } },
});

/** What the buttons lead to is another component of the file. */
export const Buttons: Story = {
  render: ({ isDisabled }) => <RefusalButtons onRefuse={fn()} isDisabled={isDisabled} />,
};

export const TestAnswerInstead: Story = {
  name: "(Test) A refusal can be taken back",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Answer instead" }));
    await expect(args.onRevoke).toHaveBeenCalledOnce();
  },
};
