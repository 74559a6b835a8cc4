import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaFieldTemplate } from "@/components/schema-form/schema-field-template";
import { object, schemaFormMeta, type SchemaFormStory, toFormArgs } from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaFieldTemplate } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const order = object({ price: { type: "number" } });

export const NamedField: Story = { args: toFormArgs(order, { price: 1.5 }) };
export const OtherFields: Story = { args: toFormArgs(order, { price: 1.5, apple: 2 }) };

export const TestNamed: Story = {
  ...NamedField,
  name: "(Test) A field has one control and no input for its name",
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole("textbox")).toHaveLength(1);
    await expect(canvas.queryByRole("button")).toBeNull();
  },
};

export const TestOtherFields: Story = {
  ...OtherFields,
  name: "(Test) Fields that were entered as JSON are kept",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Price (optional)" }), "5");
    await expect(args.onChange).toHaveBeenLastCalledWith({ price: 1.55, apple: 2 });
  },
};
