import { useState } from "react";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldProps } from "./field-props";
import { getFieldTexts, toText } from "./field-texts";
import { findOption, listOptions } from "./field-value";
import { createInitialValue } from "./initial-value";
import { ChoiceControl } from "./schema-choice-control";

/** Selects one option of a choice and shows its fields. */
export const SchemaChoiceField = (props: FieldProps) => {
  const { schema, onChange, isRequired, disabled, Field } = props;
  const options = listOptions(schema);
  const texts = getFieldTexts(props);
  // The selection of the person; an option without a value yet cannot be found by it.
  const [selected, setSelected] = useState<number | undefined>();
  const index = selected ?? findOption(options, props.value);
  const option = options[index];
  const selectOption = (value: string | undefined) => {
    const next = value === undefined ? -1 : Number(value);
    setSelected(next);
    const nextOption = options[next];
    onChange(nextOption && createEmptyValue(nextOption));
  };
  const hasField = option !== undefined && !("const" in option);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <ChoiceControl
        {...texts}
        required={isRequired}
        error={hasField ? undefined : texts.error}
        options={options.map(({ title }, at) => ({
          value: String(at),
          label: toText(title) ?? "",
        }))}
        value={option && String(index)}
        onChange={selectOption}
        disabled={disabled}
      />
      {hasField && (
        // The label of the choice is visible already, and names the fields of the option, too.
        <Field {...props} key={index} schema={option} isRequired isNameHidden />
      )}
    </div>
  );
};

/** An object without constants and defaults is selected, too. */
const createEmptyValue = (option: JsonObject): JsonValue | undefined => {
  const value = createInitialValue(option);
  return value === undefined && option.type === "object" ? {} : value;
};
