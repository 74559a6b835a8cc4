import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { fn } from "storybook/test";
import type { JsonObject, JsonValue } from "@/contract/json";
import { toFormSchema } from "@/components/schema-form/to-form-schema";
import { toOutput } from "@/components/schema-form/form-value";
import { createInitialValue } from "@/components/schema-form/initial-value";
import { SchemaForm } from "@/components/schema-form/schema-form";

type FormProps = ComponentProps<typeof SchemaForm>;

/** Stores the value and reports the output that would be submitted. */
const ControlledSchemaForm = (props: FormProps) => {
  const [value, setValue] = useState(props.value);
  return (
    <SchemaForm
      {...props}
      value={value}
      onChange={(next) => {
        setValue(next);
        props.onChange(toOutput(props.schema, next).value);
      }}
    />
  );
};

/** Renders a component inside of a form, as the fields of the form get their props from it. */
export const schemaFormMeta = {
  render: (args) => <ControlledSchemaForm {...(args as FormProps)} />,
  args: {
    id: "form",
    schema: {},
    value: undefined,
    errors: [],
    disabled: false,
    onChange: fn(),
  },
} satisfies Meta;
export type SchemaFormStory = StoryObj<FormProps>;

/** @param value replaces the initial value of the form. */
export const toFormArgs = (
  schema: JsonObject,
  value?: JsonValue,
): Pick<FormProps, "schema" | "value"> => {
  const form = toFormSchema(schema) ?? {};
  return { schema: form, value: value === undefined ? createInitialValue(form) : value };
};

export const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
});

/** Very long texts from a schema, with and without spaces. */
export const LONG_WORDS = "As it says on the parcel ".repeat(20).trim();
export const LONG_WORD = "x".repeat(200);
