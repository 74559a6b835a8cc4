import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { FormSections } from "@/components/schema-form/form-sections";
import { TextField } from "@/components/ui/text-field";
import { showStates } from "../show-states";

const meta = {
  component: FormSections,
  args: {
    names: Array.from({ length: 24 }, (_, index) => `berth ${index + 1}`),
    value: { "berth 1": "Ada", "berth 12": "Grace" },
    required: ["berth 1", "berth 2"],
    children: (name) => <TextField key={name} label={name} />,
  },
} satisfies Meta<typeof FormSections>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "The first part is open": {
    play: async ({ canvas }) => {
      await expect(canvas.getByText("2 of 24 filled in, 1 required is missing")).toBeVisible();
      await expect(canvas.getByLabelText("berth 10")).toBeVisible();
      await expect(canvas.getByLabelText("berth 11")).not.toBeVisible();
    },
  },
  "All that is required is filled in": { args: { required: ["berth 1"] } },
});

export const TestNext: Story = {
  name: "(Test) The next part opens by the keyboard and gets the focus",
  play: async ({ canvas, userEvent }) => {
    canvas.getByRole("button", { name: "Go to part 2" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(canvas.getByLabelText("berth 11")).toHaveFocus();
  },
};

export const Narrow: Story = {
  globals: { viewport: { value: "phone" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
