import type { ChangeEvent } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Switch } from "@/components/ui/switch";
import type { FieldProps } from "./field-props";
import { getFieldTexts } from "./field-texts";
import { CONTROL } from "./form-keywords";
import { ChoiceControl } from "./schema-choice-control";

const OPTIONS = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

/** Yes or no: a checkbox could not show whether its `false` was chosen. */
export const SchemaBooleanField = (props: FieldProps) => {
  const { schema, value, onChange, isRequired, disabled } = props;
  if (schema[CONTROL] !== undefined) return <Toggle {...props} />;
  return (
    <ChoiceControl
      {...getFieldTexts(props)}
      required={isRequired}
      options={OPTIONS}
      value={value === true ? "yes" : value === false ? "no" : undefined}
      onChange={(answer) => onChange(answer === undefined ? undefined : answer === "yes")}
      disabled={disabled}
    />
  );
};

/** Shows a value that is always there. */
const Toggle = (props: FieldProps) => {
  const { label, hint, error } = getFieldTexts(props);
  const toggle = {
    label,
    hint,
    error,
    checked: props.value === true,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => props.onChange(target.checked),
    disabled: props.disabled,
  };
  return props.schema[CONTROL] === "switch" ? <Switch {...toggle} /> : <Checkbox {...toggle} />;
};
