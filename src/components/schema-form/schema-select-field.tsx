import { isSameJson } from "@/lib/is-same-json";
import type { JsonObject, JsonValue } from "@/contract/json";
import { formatValue } from "./field-value";
import type { FieldProps } from "./field-props";
import { getFieldTexts } from "./field-texts";
import { CONTROL, ENUM_HINTS, ENUM_TITLES } from "./form-keywords";
import { ChoiceControl } from "./schema-choice-control";

/** Selects a value of an `enum`, of any type. */
export const SchemaSelectField = (props: FieldProps) => {
  const { schema, value, onChange, isRequired, disabled } = props;
  const values = listValues(schema);
  const selected = values.findIndex((one) => isSameValue(one, value));
  return (
    <ChoiceControl
      {...getFieldTexts(props)}
      required={isRequired}
      isDropdown={schema[CONTROL] === "select"}
      options={values.map((_value, index) => ({
        value: String(index),
        label: getOptionLabel(schema, index),
        ...getOptionHint(schema, index),
      }))}
      value={selected >= 0 ? String(selected) : undefined}
      onChange={(index) => onChange(values[Number(index)])}
      disabled={disabled}
    />
  );
};

export const listValues = (schema: JsonObject): JsonValue[] =>
  Array.isArray(schema.enum) ? schema.enum : [];

export const isSameValue = (one: JsonValue, other: JsonValue | undefined): boolean =>
  other !== undefined && isSameJson(one, other);

const getOptionHint = (schema: JsonObject, index: number) => {
  const hint = [schema[ENUM_HINTS] ?? []].flat()[index];
  return typeof hint === "string" && { hint };
};

export const getOptionLabel = (schema: JsonObject, index: number): string => {
  const titles = schema[ENUM_TITLES];
  const title = Array.isArray(titles) ? titles[index] : undefined;
  if (typeof title === "string") return title;
  return formatValue(listValues(schema)[index] ?? null);
};
