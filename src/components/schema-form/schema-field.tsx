import { type ComponentType, createElement } from "react";
import type { JsonObject } from "@/contract/json";
import { FORM_ITEM } from "@/components/ui/form-item-focus";
import type { FieldProps } from "./field-props";
import { ANY_JSON } from "./form-schema";
import { SchemaBooleanField } from "./schema-boolean-field";
import { SchemaChoiceField } from "./schema-choice-field";
import { SchemaJsonField } from "./schema-json-field";
import { SchemaListField } from "./schema-list-field";
import { SchemaNumberField } from "./schema-number-field";
import { SchemaObjectField } from "./schema-object-field";
import { SchemaSelectField } from "./schema-select-field";
import { SchemaTextField } from "./schema-text-field";

/** Draws a field by its schema. The constants of an option have no control. */
export const SchemaField = (props: FieldProps) => {
  const { schema, id } = props;
  if ("const" in schema) return null;
  return (
    <div {...FORM_ITEM} data-field={id}>
      {createElement(findControl(schema), props)}
    </div>
  );
};

const findControl = (schema: JsonObject): ComponentType<FieldProps> => {
  if ("anyOf" in schema) return SchemaChoiceField;
  if ("enum" in schema) return SchemaSelectField;
  return CONTROL_BY_TYPE.get(ANY_JSON in schema ? undefined : schema.type) ?? SchemaJsonField;
};

const CONTROL_BY_TYPE = new Map<unknown, ComponentType<FieldProps>>([
  ["string", SchemaTextField],
  ["number", SchemaNumberField],
  ["integer", SchemaNumberField],
  ["boolean", SchemaBooleanField],
  ["object", SchemaObjectField],
  ["array", SchemaListField],
]);
