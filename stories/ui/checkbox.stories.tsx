import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { Checkbox } from "@/components/ui/checkbox";

const meta = {
  component: Checkbox,
  args: { label: "Answer with an error", onChange: fn() },
} satisfies Meta<typeof Checkbox>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Off: Story = {};
export const On: Story = { args: { defaultChecked: true } };
export const WithHint: Story = { args: { hint: "The model reads the text as a failure." } };
export const WithError: Story = {
  args: { hint: "The model reads the text as a failure.", error: "Say what went wrong." },
};
export const Disabled: Story = { args: { disabled: true } };

export const TestToggle: Story = {
  name: "(Test) A click on the label toggles the checkbox",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText("Answer with an error"));
    await expect(canvas.getByRole("checkbox", { name: "Answer with an error" })).toBeChecked();
  },
};

export const TestDescribed: Story = {
  name: "(Test) The hint and the error describe the checkbox",
  ...WithError,
  play: async ({ canvas }) => {
    const box = canvas.getByRole("checkbox", { name: "Answer with an error" });
    await expect(box).toHaveAccessibleDescription(
      "The model reads the text as a failure. Say what went wrong.",
    );
    await expect(box).toBeInvalid();
    await expect(canvas.getByRole("alert")).toHaveTextContent("Say what went wrong.");
  },
};
