import type { JsonValue } from "@/contract/json";
import { FieldGroup } from "./field-group";
import type { FieldProps } from "./field-props";
import { getFieldTexts, pickErrors, toText } from "./field-texts";
import { getItem, toEntered } from "./field-value";

/** A list that has a field for each place. */
export const SchemaTupleField = (props: FieldProps) => {
  const { schema, onChange, errors, id, disabled, Field } = props;
  const { label, labelHidden, error } = getFieldTexts(props);
  const places = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const entered = Array.isArray(props.value) ? props.value : [];
  const values = places.map((_place, index): JsonValue => entered[index] ?? null);
  const change = (index: number, next: JsonValue | undefined) => {
    const changed = values.with(index, next ?? null);
    onChange(changed.every((value) => value === null) ? undefined : changed);
  };
  return (
    <FieldGroup
      label={label}
      labelHidden={labelHidden}
      hint={toText(schema.description)}
      error={error}
      isIndented
    >
      <div className="grid grid-cols-1 gap-4">
        {values.map((value, index) => {
          const item = getItem(schema, index);
          return (
            <Field
              key={index}
              schema={item}
              value={toEntered(item, value)}
              onChange={(next) => change(index, next)}
              errors={pickErrors(errors, index)}
              id={`${id}/${index}`}
              name={toText(item.title) ?? ""}
              isRequired
              disabled={disabled}
              Field={Field}
            />
          );
        })}
      </div>
    </FieldGroup>
  );
};
