import type { FieldProps } from "./field-props";
import { getFieldTexts } from "./field-texts";
import { ChoiceControl } from "./schema-choice-control";

const OPTIONS = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

/** Yes or no: a checkbox could not show whether its `false` was chosen. */
export const SchemaBooleanField = (props: FieldProps) => {
  const { value, onChange, isRequired, disabled } = props;
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
