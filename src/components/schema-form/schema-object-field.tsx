import { isJsonObject } from "@/contract/is-json-object";
import { FieldGroup } from "./field-group";
import type { FieldProps } from "./field-props";
import { formatFirstError, formatLabel, getDescription, pickErrors, toText } from "./field-texts";
import { getOwn, setOwn } from "./field-value";
import { findActiveFields } from "./form-conditions";
import { FormSections, MAX_UNDIVIDED_FIELDS } from "./form-sections";

/** The fields of an object, as its value decides. The label of the root object is visually hidden. */
export const SchemaObjectField = (props: FieldProps) => {
  const { schema, value, onChange, errors, id, name, disabled, Field } = props;
  const { isRoot = false, isNameHidden = false, isRequired } = props;
  const { properties, required } = findActiveFields(schema, value);
  const names = Object.keys(properties).filter((key) => isJsonObject(properties[key]));
  const isHidden = isRoot || isNameHidden;
  const renderField = (key: string) => {
    const field = properties[key];
    return isJsonObject(field) ? (
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
    ) : null;
  };
  const isDivided = isRoot && names.length > MAX_UNDIVIDED_FIELDS;
  return (
    <FieldGroup
      label={formatLabel(name, isHidden || isRequired)}
      labelHidden={isHidden}
      hint={getDescription(schema)}
      error={formatFirstError(errors)}
      isIndented={!isRoot}
    >
      {isDivided ? (
        <FormSections names={names} value={value} required={required}>
          {renderField}
        </FormSections>
      ) : (
        <div className="grid grid-cols-1 gap-4">{names.map(renderField)}</div>
      )}
    </FieldGroup>
  );
};
