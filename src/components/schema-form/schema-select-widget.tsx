import { deepEquals, type WidgetProps } from "@rjsf/utils";
import type { JsonValue } from "@/contract/json";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldGroup } from "./field-group";
import { getWidgetTexts } from "./field-texts";
import { ENUM_TITLES } from "./form-schema";
import { ChoiceControl } from "./schema-choice-control";

/** Selects one or several values of an `enum`, of any types. */
export const SchemaSelectWidget = (props: WidgetProps) =>
  props.multiple ? <MultiSelect {...props} /> : <SingleSelect {...props} />;

const SingleSelect = (props: WidgetProps) => {
  const values = props.options.enumOptions ?? [];
  const selectedIndex = values.findIndex((option) => isSameValue(option.value, props.value));
  return (
    <ChoiceControl
      {...getWidgetTexts(props)}
      options={values.map((_value, index) => ({
        value: String(index),
        label: getOptionLabel(props, index),
      }))}
      value={selectedIndex >= 0 ? String(selectedIndex) : undefined}
      onChange={(value) => props.onChange(values[Number(value)]?.value as JsonValue | undefined)}
      disabled={props.disabled === true || props.readonly === true}
    />
  );
};

const MultiSelect = (props: WidgetProps) => {
  const { label, labelHidden, hint, error } = getWidgetTexts(props);
  const selected = Array.isArray(props.value) ? (props.value as JsonValue[]) : [];
  const toggle = (value: JsonValue, on: boolean) => {
    const others = selected.filter((one) => !isSameValue(one, value));
    props.onChange(on ? [...others, value] : others);
  };
  return (
    <FieldGroup
      label={label}
      labelHidden={labelHidden}
      hint={hint}
      error={error}
      disabled={props.disabled === true || props.readonly === true}
    >
      <div className="flex flex-col gap-2">
        {(props.options.enumOptions ?? []).map((option, index) => (
          <Checkbox
            key={index}
            label={getOptionLabel(props, index)}
            checked={selected.some((one) => isSameValue(one, option.value))}
            onChange={({ target }) => toggle(option.value as JsonValue, target.checked)}
          />
        ))}
      </div>
    </FieldGroup>
  );
};

const isSameValue = (one: unknown, other: unknown): boolean =>
  one !== undefined && deepEquals(one, other);

const getOptionLabel = ({ options, schema }: WidgetProps, index: number): string => {
  const option = options.enumOptions?.[index];
  const value = option?.value as JsonValue | undefined;
  const names = (schema as { [ENUM_TITLES]?: JsonValue[] })[ENUM_TITLES];
  const name = names?.[index];
  if (typeof name === "string") return name;
  if (typeof value === "object") return JSON.stringify(value);
  return value === "" ? "Empty text" : (option?.label ?? "");
};
