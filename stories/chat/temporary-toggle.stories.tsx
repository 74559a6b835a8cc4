import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { TemporaryToggle } from "@/components/chat/temporary-toggle";
import { showStates } from "../show-states";

const meta = {
  component: TemporaryToggle,
  args: { isOn: false, onChange: fn() },
} satisfies Meta<typeof TemporaryToggle>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Off: {},
  On: {
    args: { isOn: true },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Temporary chat" })).toHaveAttribute(
        "aria-pressed",
        "true",
      );
    },
  },
});

export const TestKeyboard: Story = {
  name: "(Test) It is switched on with the keyboard",
  play: async ({ args, canvas, userEvent }) => {
    canvas.getByRole("button", { name: "Temporary chat" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onChange).toHaveBeenCalledWith(true);
  },
};
