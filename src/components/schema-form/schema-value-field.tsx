import { type ComponentType, createElement } from "react";
import type { JsonObject } from "@/contract/json";
import { FORM_ITEM } from "@/components/ui/form-item-focus";
import type { FieldProps } from "./field-props";
import { SchemaBooleanField } from "./schema-boolean-field";
import { SchemaNumberField } from "./schema-number-field";
import { SchemaSelectField } from "./schema-select-field";
import { SchemaTextField } from "./schema-text-field";

/** Draws a field of a single value. Pages without other fields load nothing else. */
export const SchemaValueField = (props: FieldProps) => (
  <div {...FORM_ITEM} data-field={props.id}>
    {createElement(findControl(props.schema), props)}
  </div>
);

const findControl = ({ enum: values, type }: JsonObject): ComponentType<FieldProps> => {
  if (values !== undefined) return SchemaSelectField;
  if (type === "boolean") return SchemaBooleanField;
  return type === "number" || type === "integer" ? SchemaNumberField : SchemaTextField;
};
