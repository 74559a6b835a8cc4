import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { EmptyChoice } from "@/components/schema-form/empty-choice";

const meta = {
  component: EmptyChoice,
  args: {
    label: "Send empty text",
    fieldLabel: "Reason",
    isEmpty: false,
    isReported: true,
    onChange: fn(),
  },
} satisfies Meta<typeof EmptyChoice>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Offered: Story = {};
export const Chosen: Story = { args: { isEmpty: true, isReported: false } };
export const NotMissedYet: Story = { args: { isReported: false } };
export const HasValue: Story = { args: { isEmpty: undefined } };
export const Disabled: Story = { args: { isEmpty: true, disabled: true } };

export const TestOffered: Story = {
  name: "(Test) The choice is not made in advance",
  play: async ({ args, canvas, userEvent }) => {
    const choice = canvas.getByRole("checkbox", { name: "Send empty text for Reason" });
    await expect(choice).not.toBeChecked();
    await userEvent.click(choice);
    await expect(args.onChange).toHaveBeenCalledWith(true);
  },
};

export const TestHidden: Story = {
  ...NotMissedYet,
  name: "(Test) The choice is not offered before the value was missed",
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole("checkbox")).toBeNull();
  },
};

export const TestChosen: Story = {
  ...Chosen,
  name: "(Test) A choice that was made stays visible and can be taken back",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("checkbox", { name: "Send empty text for Reason" }));
    await expect(args.onChange).toHaveBeenCalledWith(false);
  },
};
