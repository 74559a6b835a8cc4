import type { Meta } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { SchemaField } from "@/components/schema-form/schema-field";
import { showStates } from "../show-states";
import { object, schemaFormMeta, type SchemaFormStory, toFormArgs } from "./schema-form-story";

const meta = { ...schemaFormMeta, component: SchemaField } satisfies Meta;
export default meta;
type Story = SchemaFormStory;

const order = object({ price: { type: "number" } });

const otherFields: Story = { args: toFormArgs(order, { price: 1.5, apple: 2 }) };

export const States: Story = showStates(meta, {
  "A field has one control and no input for its name": {
    args: toFormArgs(order, { price: 1.5 }),
    play: async ({ canvas }) => {
      await expect(canvas.getAllByRole("textbox")).toHaveLength(1);
      await expect(canvas.queryByRole("button")).toBeNull();
    },
  },
  "Other fields": otherFields,
});

export const TestOtherFields: Story = {
  ...otherFields,
  name: "(Test) Fields that were entered as JSON are kept",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole("textbox", { name: "Price (optional)" }), "5");
    await expect(args.onChange).toHaveBeenLastCalledWith({ price: 1.55, apple: 2 });
  },
};
