import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Switch } from "@/components/ui/switch";

const meta = {
  component: Switch,
  args: { label: "Offer the advisor", hint: "Agents may ask it before they act." },
} satisfies Meta<typeof Switch>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Off: Story = {};
export const On: Story = { args: { defaultChecked: true } };
export const WithError: Story = { args: { error: "Choose its model first." } };
export const Disabled: Story = { args: { disabled: true } };

export const TestKeyboard: Story = {
  name: "(Test) It is switched by its label and by the space bar",
  play: async ({ canvas, userEvent }) => {
    const control = canvas.getByRole("switch", { name: "Offer the advisor" });
    await expect(control).toHaveAccessibleDescription("Agents may ask it before they act.");
    await userEvent.click(canvas.getByText("Offer the advisor"));
    await expect(control).toBeChecked();
    await userEvent.keyboard(" ");
    await expect(control).not.toBeChecked();
  },
};

export const TestDescribed: Story = {
  name: "(Test) What is wrong is read with the switch",
  ...WithError,
  play: async ({ canvas }) => {
    const control = canvas.getByRole("switch", { name: "Offer the advisor" });
    await expect(control).toBeInvalid();
    await expect(control).toHaveAccessibleDescription(
      "Agents may ask it before they act. Choose its model first.",
    );
  },
};
