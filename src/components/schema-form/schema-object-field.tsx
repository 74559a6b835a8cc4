import { isJsonObject } from "@/contract/is-json-object";
import { FieldGroup } from "./field-group";
import type { FieldProps } from "./field-props";
import { formatFirstError, formatLabel, getDescription, pickErrors, toText } from "./field-texts";
import { getOwn, setOwn } from "./field-value";

/** The fields of an object. The label of the root object is visually hidden. */
export const SchemaObjectField = (props: FieldProps) => {
  const { schema, value, onChange, errors, id, name, disabled, Field } = props;
  const { isRoot = false, isNameHidden = false, isRequired } = props;
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  const isHidden = isRoot || isNameHidden;
  return (
    <FieldGroup
      label={formatLabel(name, isHidden || isRequired)}
      labelHidden={isHidden}
      hint={getDescription(schema)}
      error={formatFirstError(errors)}
      isIndented={!isRoot}
    >
      <div className="grid grid-cols-1 gap-4">
        {properties.map(([key, field]) =>
          isJsonObject(field) ? (
            <Field
              key={key}
              schema={field}
              value={getOwn(value, key)}
              onChange={(next) => onChange(setOwn(value, key, next))}
              errors={pickErrors(errors, key)}
              id={`${id}/${key}`}
              name={toText(field.title) ?? key}
              isRequired={required.includes(key)}
              disabled={disabled}
              Field={Field}
            />
          ) : null,
        )}
      </div>
    </FieldGroup>
  );
};
