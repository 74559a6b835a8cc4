import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { FieldGroup } from "@/components/schema-form/field-group";
import { TextField } from "@/components/ui/text-field";
import { showStates } from "../show-states";

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

const disabled: Story = { args: { disabled: true } };

export const States: Story = showStates(meta, {
  "Label only": {},
  "The label names and the hint describes the group": {
    args: { hint: "Where the parcel goes." },
    play: async ({ canvas }) => {
      const group = canvas.getByRole("group", { name: "Address" });
      await expect(group).toHaveAccessibleDescription("Where the parcel goes.");
      await expect(group).toContainElement(canvas.getByRole("textbox", { name: "City" }));
    },
  },
  "A hidden label takes no space and names the group": {
    args: { labelHidden: true },
    play: async ({ canvas }) => {
      const group = canvas.getByRole("group", { name: "Address" });
      await expect(group).not.toHaveAttribute("aria-describedby");
      await expect(canvas.getByText("Address").offsetWidth).toBe(1);
      await expect(canvas.getByText("Street").getBoundingClientRect().top).toBe(
        group.getBoundingClientRect().top,
      );
    },
  },
  "With hint, label hidden": { args: { labelHidden: true, hint: "Where the parcel goes." } },
  Indented: { args: { isIndented: true, hint: "Where the parcel goes." } },
  Disabled: disabled,
});

export const TestDisabled: Story = {
  name: "(Test) A disabled group disables its controls",
  ...disabled,
  play: async ({ canvas, userEvent }) => {
    for (const field of canvas.getAllByRole("textbox")) await expect(field).toBeDisabled();
    await userEvent.tab();
    await expect(document.body).toHaveFocus();
  },
};

/** Long texts wrap. */
export const LongTexts: Story = {
  args: {
    label: `${"Where the parcel is to be sent ".repeat(6)}${"x".repeat(300)}`,
    hint: `${"As it is written on the parcel. ".repeat(6)}${"x".repeat(300)}`,
    isIndented: true,
  },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
