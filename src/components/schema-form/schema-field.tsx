import { type ComponentType, createElement } from "react";
import type { JsonObject } from "@/contract/json";
import { FORM_ITEM } from "@/components/ui/form-item-focus";
import type { FieldProps } from "./field-props";
import { isMap } from "./field-value";
import { ANY_JSON, FILE, NULLABLE } from "./form-keywords";
import { SchemaChoiceField } from "./schema-choice-field";
import { SchemaFileField } from "./schema-file-field";
import { SchemaFixedField } from "./schema-fixed-field";
import { SchemaJsonField } from "./schema-json-field";
import { SchemaListField } from "./schema-list-field";
import { SchemaMapField } from "./schema-map-field";
import { SchemaMediaField } from "./schema-media-field";
import { SchemaNullableField } from "./schema-nullable-field";
import { SchemaObjectField } from "./schema-object-field";
import { SchemaTimeField } from "./schema-time-field";
import { SchemaTupleField } from "./schema-tuple-field";
import { SchemaValueField } from "./schema-value-field";
import { TIME_FORMATS } from "./time-formats";

/** Draws a field by its schema. The constants of an option have no control. */
export const SchemaField = (props: FieldProps) => {
  const { schema, id } = props;
  if ("const" in schema) return null;
  const control = findControl(schema);
  return control ? (
    <div {...FORM_ITEM} data-field={id}>
      {createElement(control, props)}
    </div>
  ) : (
    <SchemaValueField {...props} />
  );
};

/** Returns undefined for a single value. */
const findControl = (schema: JsonObject): ComponentType<FieldProps> | undefined => {
  if (schema.readOnly === true) return SchemaFixedField;
  if (NULLABLE in schema) return SchemaNullableField;
  if ("anyOf" in schema) return SchemaChoiceField;
  if ("enum" in schema) return undefined;
  if (ANY_JSON in schema) return SchemaJsonField;
  if (schema.type === "object") return isMap(schema) ? SchemaMapField : SchemaObjectField;
  if (schema.type !== "array") return findTextControl(schema);
  return "prefixItems" in schema ? SchemaTupleField : SchemaListField;
};

const findTextControl = (schema: JsonObject): ComponentType<FieldProps> | undefined => {
  if (FILE in schema) return SchemaFileField;
  if (TIME_FORMATS.has(schema.format)) return SchemaTimeField;
  return schema.contentMediaType === undefined ? undefined : SchemaMediaField;
};
