import type { FieldProps, RJSFSchema, UiSchema } from "@rjsf/utils";
import { type ComponentType, useState } from "react";
import type { JsonObject, JsonValue } from "@/contract/json";
import { Select } from "@/components/ui/select";
import { RadioGroup } from "./radio-group";
import { findClosestOption, createInitialValue } from "./complete-output";
import { getFieldTexts, formatFirstError } from "./field-texts";

const OMIT = "none";
const MAX_RADIO_OPTIONS = 4;

/** Selects one option of `anyOf` or `oneOf` and shows its fields. */
export const SchemaChoiceField = (props: FieldProps) => {
  const { registry, disabled, schema, errorSchema } = props;
  const options = props.options as RJSFSchema[];
  const root = registry.rootSchema as JsonObject;
  const value = props.formData as JsonValue | undefined;
  const { label, labelHidden, hint, required } = getFieldTexts(props);
  const SchemaField = registry.fields.SchemaField as ComponentType<FieldProps>;
  // The selection of the person; two options can look the same while they are empty.
  const [picked, setPicked] = useState<number | undefined>();
  const isOmitted = value === undefined && !required;
  const selectedIndex = picked ?? (isOmitted ? -1 : findClosestOption(options, value, root));
  const option = options[selectedIndex];
  const selectOption = (optionValue: string) => {
    const nextIndex = optionValue === OMIT ? -1 : Number(optionValue);
    setPicked(nextIndex);
    props.onChange(createInitialValue(options[nextIndex], root), props.fieldPathId.path);
  };
  const hasField = option !== undefined && option.type !== "null";
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Options
        label={label}
        labelHidden={labelHidden}
        hint={hint}
        error={hasField ? undefined : formatFirstError(errorSchema?.__errors)}
        options={[
          ...options.map(({ title }, index) => ({
            value: String(index),
            label: title ?? `Option ${index + 1}`,
          })),
          ...(required ? [] : [{ value: OMIT, label: "Leave out" }]),
        ]}
        value={option ? String(selectedIndex) : OMIT}
        onChange={selectOption}
        disabled={disabled === true}
      />
      {hasField && (
        <SchemaField
          {...props}
          key={selectedIndex}
          required
          schema={withInheritedType(schema, option)}
          uiSchema={withTitle(label.replace(/ \(optional\)$/, ""), props.uiSchema)}
        />
      )}
    </div>
  );
};

type OptionsProps = Parameters<typeof RadioGroup<string>>[0];

const Options = (props: OptionsProps) => {
  if (props.options.length <= MAX_RADIO_OPTIONS) return <RadioGroup {...props} />;
  const { onChange, options, value, ...texts } = props;
  return (
    <Select
      {...texts}
      options={options}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
};

/** An option without a type inherits that of the schema. */
const withInheritedType = ({ type }: RJSFSchema, option: RJSFSchema): RJSFSchema =>
  type === undefined || option.type !== undefined ? option : { ...option, type };

/** Names the fields of the option after the schema, whose label is already visible. */
const withTitle = (label: string, uiSchema: UiSchema | undefined): UiSchema => ({
  ...uiSchema,
  "ui:title": label,
  "ui:labelHidden": true,
});
