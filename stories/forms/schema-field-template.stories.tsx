import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaFieldTemplate } from "@/components/forms/schema-field-template";
import {
  toFormArgs,
  LONG_WORD,
  object,
  schemaFormMeta,
  type SchemaFormStory,
} from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaFieldTemplate } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const prices = object({ prices: { type: "object", additionalProperties: { type: "number" } } });

export const NamedField: Story = {
  args: toFormArgs(object({ price: { type: "number" } }), { price: 1.5 }),
};
export const AddedField: Story = { args: toFormArgs(prices, { prices: { apple: 1.5 } }) };
export const SeveralAddedFields: Story = {
  args: toFormArgs(prices, { prices: { apple: 1.5, pear: 2 } }),
};
export const AddedFieldWithError: Story = {
  args: {
    ...AddedField.args,
    errors: [{ pointer: "/prices/apple", message: "must be less than 1" }],
  },
};
export const DisabledAddedField: Story = { args: { ...AddedField.args, disabled: true } };
export const LongName: Story = {
  args: toFormArgs(prices, { prices: { [LONG_WORD]: 1 } }),
  globals: { viewport: { value: "mobile1" } },
};

export const TestNamed: Story = {
  ...NamedField,
  name: "(Test) A field of the schema has no name input",
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole("textbox")).toHaveLength(1);
    await expect(canvas.queryByRole("button")).toBeNull();
  },
};

export const TestAddedFields: Story = {
  ...AddedField,
  name: "(Test) Added fields can be named and removed",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add field" }));
    const names = canvas.getAllByRole("textbox", { name: "Name" });
    await expect(names).toHaveLength(2);
    const [, name] = names;
    if (!name) throw new Error("the new field is missing");
    await userEvent.clear(name);
    await userEvent.type(name, "pear");
    await userEvent.tab();
    await userEvent.clear(canvas.getByRole("textbox", { name: "pear" }));
    await userEvent.type(canvas.getByRole("textbox", { name: "pear" }), "2");
    await expect(args.onChange).toHaveBeenLastCalledWith({ prices: { apple: 1.5, pear: 2 } });
    await userEvent.click(canvas.getByRole("button", { name: "Remove apple" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ prices: { pear: 2 } });
  },
};

export const TestDuplicateName: Story = {
  ...SeveralAddedFields,
  name: "(Test) A duplicate name gets a number, so that no value is lost",
  play: async ({ args, canvas, userEvent }) => {
    const [, name] = canvas.getAllByRole("textbox", { name: "Name" });
    if (!name) throw new Error("the second field is missing");
    await userEvent.clear(name);
    await userEvent.type(name, "apple");
    await userEvent.tab();
    await expect(args.onChange).toHaveBeenLastCalledWith({ prices: { apple: 1.5, "apple-1": 2 } });
    await expect(canvas.getByRole("textbox", { name: "apple-1" })).toHaveValue("2");
    await expect(canvas.getByDisplayValue("apple-1")).toBeVisible();
  },
};

export const TestEmptyName: Story = {
  ...AddedField,
  name: "(Test) Clearing the name of a field restores it",
  play: async ({ args, canvas, userEvent }) => {
    const name = canvas.getByRole("textbox", { name: "Name" });
    await userEvent.clear(name);
    await userEvent.tab();
    await expect(name).toHaveValue("apple");
    await expect(canvas.getByRole("textbox", { name: "apple" })).toHaveValue("1.5");
    await expect(args.onChange).not.toHaveBeenCalled();
  },
};

export const TestRemove: Story = {
  ...SeveralAddedFields,
  name: "(Test) Removing a field focuses the next one",
  play: async ({ canvas, userEvent }) => {
    canvas.getByRole("button", { name: "Remove apple" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(canvas.getByRole("button", { name: "Remove pear" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(canvas.queryByRole("textbox")).toBeNull();
    await expect(canvas.getByRole("button", { name: "Add field" })).toHaveFocus();
  },
};

export const TestError: Story = {
  ...AddedFieldWithError,
  name: "(Test) The error is shown at the value, not at the name",
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("textbox", { name: "apple" })).toHaveAccessibleDescription(
      "Must be less than 1.",
    );
    await expect(canvas.getByRole("textbox", { name: "Name" })).toBeValid();
  },
};

export const TestDisabled: Story = {
  ...DisabledAddedField,
  name: "(Test) A disabled field cannot be changed or removed",
  play: async ({ canvas }) => {
    const controls = [...canvas.getAllByRole("textbox"), ...canvas.getAllByRole("button")];
    await expect(controls).toHaveLength(4);
    for (const control of controls) await expect(control).toBeDisabled();
  },
};

export const TestLongName: Story = {
  ...LongName,
  name: "(Test) A long name wraps",
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
