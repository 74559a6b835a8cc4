import type { WidgetProps } from "@rjsf/utils";
import { getWidgetTexts } from "./field-texts";
import { ChoiceControl } from "./schema-choice-control";

const OPTIONS = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

/** Yes or no: a checkbox could not show whether its `false` was chosen. */
export const SchemaBooleanWidget = (props: WidgetProps) => {
  const value: unknown = props.value;
  return (
    <ChoiceControl
      {...getWidgetTexts(props)}
      options={OPTIONS}
      value={value === true ? "yes" : value === false ? "no" : undefined}
      onChange={(answer) => props.onChange(answer === undefined ? undefined : answer === "yes")}
      disabled={props.disabled === true || props.readonly === true}
    />
  );
};
