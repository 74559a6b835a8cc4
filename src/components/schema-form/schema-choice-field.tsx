import type { FieldProps, RJSFSchema, UiSchema } from "@rjsf/utils";
import { type ComponentType, useState } from "react";
import type { JsonObject, JsonValue } from "@/contract/json";
import { formatFirstError, getFieldTexts } from "./field-texts";
import { createInitialValue, findOption } from "./form-value";
import { ChoiceControl } from "./schema-choice-control";

/** Selects one option of a choice and shows its fields. */
export const SchemaChoiceField = (props: FieldProps) => {
  const { registry, disabled, errorSchema } = props;
  const options = props.options as (RJSFSchema & JsonObject)[];
  const texts = getFieldTexts(props);
  const SchemaField = registry.fields.SchemaField as ComponentType<FieldProps>;
  // The selection of the person; an option without a value yet cannot be found by it.
  const [selected, setSelected] = useState<number | undefined>();
  const index = selected ?? findOption(options, props.formData as JsonValue | undefined);
  const option = options[index];
  const selectOption = (value: string | undefined) => {
    const next = value === undefined ? -1 : Number(value);
    setSelected(next);
    const nextOption = options[next];
    props.onChange(nextOption && createInitialValue(nextOption), props.fieldPathId.path);
  };
  const hasField = option !== undefined && !("const" in option);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <ChoiceControl
        {...texts}
        error={hasField ? undefined : formatFirstError(errorSchema?.__errors)}
        options={options.map(({ title }, at) => ({ value: String(at), label: title ?? "" }))}
        value={option && String(index)}
        onChange={selectOption}
        disabled={disabled === true}
      />
      {hasField && (
        <SchemaField
          {...props}
          key={index}
          required
          schema={option}
          uiSchema={withTitle(texts.label.replace(/ \(optional\)$/, ""), props.uiSchema)}
        />
      )}
    </div>
  );
};

/** Names the fields of the option after the choice, whose label is already visible. */
const withTitle = (label: string, uiSchema: UiSchema | undefined): UiSchema => ({
  ...uiSchema,
  "ui:title": label,
  "ui:labelHidden": true,
});
