import type { FieldProps } from "./field-props";
import { toText } from "./field-texts";
import { SchemaField } from "./schema-field";

/** The id is the prefix of the ids of all fields. */
type SchemaFormProps = Pick<
  FieldProps,
  "id" | "schema" | "value" | "onChange" | "errors" | "disabled"
>;

/** The fields of a JSON Schema. It renders no `form` element, so that one form can contain several. */
export const SchemaForm = (props: SchemaFormProps) => (
  <div className="break-words">
    <SchemaField
      {...props}
      name={toText(props.schema.title) ?? ""}
      isRoot
      isRequired
      Field={SchemaField}
    />
  </div>
);
