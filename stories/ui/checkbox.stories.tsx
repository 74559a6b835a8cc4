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
export const Disabled: Story = { args: { disabled: true } };

export const TestToggle: Story = {
  name: "(Test) Its label toggles it",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText("Answer with an error"));
    await expect(canvas.getByRole("checkbox", { name: "Answer with an error" })).toBeChecked();
  },
};
