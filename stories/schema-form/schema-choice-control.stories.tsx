import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ChoiceControl } from "@/components/schema-form/schema-choice-control";
import { showStates } from "../show-states";
import { Controlled } from "./controlled";

const toOptions = (...labels: string[]) => labels.map((label) => ({ value: label, label }));

const meta = {
  component: ChoiceControl,
  args: {
    label: "Size",
    labelHidden: false,
    hint: undefined,
    error: undefined,
    required: true,
    options: toOptions("Small", "Medium", "Large"),
    value: undefined,
    onChange: fn(),
    disabled: false,
  },
  render: (args) => (
    <Controlled value={args.value} onChange={args.onChange}>
      {({ value, onChange }) => <ChoiceControl {...args} value={value} onChange={onChange} />}
    </Controlled>
  ),
} satisfies Meta<typeof ChoiceControl>;
export default meta;
type Story = StoryObj<typeof meta>;

const colors = toOptions("Amber", "Blue", "Crimson", "Dark green", "Ebony");

export const States: Story = showStates(meta, {
  "Few options": {},
  "Few optional options": { args: { required: false } },
  "Many options": { args: { label: "Color", options: colors } },
  Disabled: { args: { value: "Medium", disabled: true } },
});

export const TestOptional: Story = {
  name: "(Test) An optional choice can be left out again",
  args: { required: false, value: "Small" },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("radio", { name: "Not set" }));
    await expect(args.onChange).toHaveBeenLastCalledWith(undefined);
  },
};

export const TestRequired: Story = {
  name: "(Test) A required choice begins with nothing chosen",
  args: { label: "Color", options: colors },
  play: async ({ args, canvas, userEvent }) => {
    const select = canvas.getByRole("combobox", { name: /Color/ });
    await expect(select).toHaveDisplayValue("Choose…");
    await userEvent.selectOptions(select, "Ebony");
    await expect(args.onChange).toHaveBeenLastCalledWith("Ebony");
  },
};
