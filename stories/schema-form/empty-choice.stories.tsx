import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { EmptyChoice } from "@/components/schema-form/empty-choice";
import { showStates } from "../show-states";

const meta = {
  component: EmptyChoice,
  args: {
    label: "Leave empty on purpose",
    fieldLabel: "Reason",
    isEmpty: false,
    isReported: true,
    onChange: fn(),
  },
} satisfies Meta<typeof EmptyChoice>;
export default meta;
type Story = StoryObj<typeof meta>;

const chosen: Story = { args: { isEmpty: true, isReported: false } };

export const States: Story = showStates(meta, {
  Offered: {},
  Chosen: chosen,
  "The choice is not offered before the value was missed": {
    args: { isReported: false },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("checkbox")).toBeNull();
    },
  },
  Filled: { args: { isEmpty: undefined } },
  Disabled: { args: { isEmpty: true, disabled: true } },
});

export const TestOffered: Story = {
  name: "(Test) The choice is not made in advance",
  play: async ({ args, canvas, userEvent }) => {
    const choice = canvas.getByRole("checkbox", { name: "Leave empty on purpose for Reason" });
    await expect(choice).not.toBeChecked();
    await userEvent.click(choice);
    await expect(args.onChange).toHaveBeenCalledWith(true);
  },
};

export const TestChosen: Story = {
  ...chosen,
  name: "(Test) A choice that was made stays visible and can be taken back",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(
      canvas.getByRole("checkbox", { name: "Leave empty on purpose for Reason" }),
    );
    await expect(args.onChange).toHaveBeenCalledWith(false);
  },
};
