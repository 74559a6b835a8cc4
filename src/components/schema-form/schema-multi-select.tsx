import { Checkbox } from "@/components/ui/checkbox";
import type { JsonValue } from "@/contract/json";
import { FieldGroup } from "./field-group";
import type { FieldProps } from "./field-props";
import { getFieldTexts } from "./field-texts";
import { getItem } from "./field-value";
import { getOptionLabel, isSameValue, listValues } from "./schema-select-field";

/** Selects several values of an `enum`. */
export const SchemaMultiSelect = (props: FieldProps) => {
  const { schema, value, onChange, disabled } = props;
  const { label, labelHidden, hint, error } = getFieldTexts(props);
  const items = getItem(schema, 0);
  const selected = Array.isArray(value) ? value : [];
  const toggle = (one: JsonValue, isOn: boolean) => {
    const others = selected.filter((other) => !isSameValue(other, one));
    onChange(isOn ? [...others, one] : others);
  };
  return (
    <FieldGroup
      label={label}
      labelHidden={labelHidden}
      hint={hint}
      error={error}
      disabled={disabled}
    >
      <div className="flex flex-col gap-2">
        {listValues(items).map((one, index) => (
          <Checkbox
            key={index}
            label={getOptionLabel(items, index)}
            checked={selected.some((other) => isSameValue(other, one))}
            onChange={({ target }) => toggle(one, target.checked)}
          />
        ))}
      </div>
    </FieldGroup>
  );
};
