import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { PictureChoice } from "@/components/appearance/picture-choice";
import { showStates } from "../show-states";

const toOption = (label: string, color: string) => ({
  value: label.toLowerCase(),
  label,
  hint: `Everything in ${label.toLowerCase()}.`,
  picture: <div aria-hidden className={`h-20 ${color}`} />,
});

const meta = {
  component: PictureChoice,
  args: {
    label: "Color",
    options: [toOption("Green", "bg-accent"), toOption("Red", "bg-danger")],
    value: "green",
    onChange: fn(),
  },
} satisfies Meta<typeof PictureChoice>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Default: {},
  "The hint describes its option": {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("radiogroup", { name: "Color" })).toBeVisible();
      const green = canvas.getByRole("radio", { name: "Green" });
      await expect(green).toBeChecked();
      await expect(green).toHaveAccessibleDescription("Everything in green.");
    },
  },
});

export const TestKeyboard: Story = {
  name: "(Test) Arrow keys choose, and the picture can be clicked",
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("radio", { name: "Green" })).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}");
    await expect(args.onChange).toHaveBeenLastCalledWith("red");
    const picture = canvasElement.querySelector(".bg-danger");
    if (!picture) throw new Error("the picture is missing");
    await userEvent.click(picture);
    await expect(args.onChange).toHaveBeenCalledTimes(2);
  },
};
