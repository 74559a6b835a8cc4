import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { RefusalButtons, RefusalNote } from "@/components/questions/question-refusal";

const meta = {
  component: RefusalNote,
  args: { refusal: "decline", onRevoke: fn(), isDisabled: false },
} satisfies Meta<typeof RefusalNote>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Declined: Story = {
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Answer instead" }));
    await expect(args.onRevoke).toHaveBeenCalledOnce();
  },
};
export const Cancelled: Story = { args: { refusal: "cancel" } };
export const Buttons: Story = {
  render: ({ isDisabled }) => <RefusalButtons onRefuse={fn()} isDisabled={isDisabled} />,
};
