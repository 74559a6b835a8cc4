import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { FieldGroup } from "@/components/schema-form/field-group";
import { TextField } from "@/components/ui/text-field";

const meta = {
  component: FieldGroup,
  args: {
    label: "Address",
    children: (
      <div className="grid gap-3">
        <TextField label="Street" />
        <TextField label="City" />
      </div>
    ),
  },
} satisfies Meta<typeof FieldGroup>;
export default meta;
type Story = StoryObj<typeof meta>;

export const LabelOnly: Story = {};
export const WithHint: Story = { args: { hint: "Where the parcel goes." } };
export const LabelHidden: Story = { args: { labelHidden: true } };
export const LabelHiddenWithHint: Story = {
  args: { labelHidden: true, hint: "Where the parcel goes." },
};
export const Indented: Story = { args: { isIndented: true, hint: "Where the parcel goes." } };
export const Disabled: Story = { args: { disabled: true } };
export const LongTexts: Story = {
  args: {
    label: `${"Where the parcel is to be sent ".repeat(6)}${"x".repeat(300)}`,
    hint: `${"As it is written on the parcel. ".repeat(6)}${"x".repeat(300)}`,
    isIndented: true,
  },
  globals: { viewport: { value: "mobile1" } },
};

export const TestLabelAndHint: Story = {
  name: "(Test) The label names and the hint describes the group",
  ...WithHint,
  play: async ({ canvas }) => {
    const group = canvas.getByRole("group", { name: "Address" });
    await expect(group).toHaveAccessibleDescription("Where the parcel goes.");
    await expect(group).toContainElement(canvas.getByRole("textbox", { name: "City" }));
  },
};

export const TestLabelHidden: Story = {
  name: "(Test) A hidden label takes no space and names the group",
  ...LabelHidden,
  play: async ({ canvas }) => {
    const group = canvas.getByRole("group", { name: "Address" });
    await expect(group).not.toHaveAttribute("aria-describedby");
    await expect(canvas.getByText("Address").offsetWidth).toBe(1);
    await expect(canvas.getByText("Street").getBoundingClientRect().top).toBe(
      group.getBoundingClientRect().top,
    );
  },
};

export const TestDisabled: Story = {
  name: "(Test) A disabled group disables its controls",
  ...Disabled,
  play: async ({ canvas, userEvent }) => {
    for (const field of canvas.getAllByRole("textbox")) await expect(field).toBeDisabled();
    await userEvent.tab();
    await expect(document.body).toHaveFocus();
  },
};

export const TestLongTexts: Story = {
  name: "(Test) Long texts wrap",
  ...LongTexts,
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
