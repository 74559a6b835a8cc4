import type { FieldProps, RJSFSchema, UiSchema } from "@rjsf/utils";
import { type ComponentType, useState } from "react";
import type { JsonObject, JsonValue } from "@/contract/json";
import { Select } from "@/components/ui/select";
import { Choice } from "./choice";
import { closestOption, startingPart } from "./complete-output";
import { fieldWords, firstError } from "./field-words";

const LEAVE_OUT = "none";
const MAX_IN_SIGHT = 4;

/** One of several forms of a value: which one, then its fields. */
export const SchemaChoiceField = (props: FieldProps) => {
  const { registry, disabled, schema, errorSchema } = props;
  const options = props.options as RJSFSchema[];
  const root = registry.rootSchema as JsonObject;
  const value = props.formData as JsonValue | undefined;
  const { label, labelHidden, hint, required } = fieldWords(props);
  const SchemaField = registry.fields.SchemaField as ComponentType<FieldProps>;
  // What the person picked; two forms may look the same while they are empty.
  const [picked, setPicked] = useState<number | undefined>();
  const isOut = value === undefined && !required;
  const at = picked ?? (isOut ? -1 : closestOption(options, value, root));
  const option = options[at];
  const pick = (choice: string) => {
    const next = choice === LEAVE_OUT ? -1 : Number(choice);
    setPicked(next);
    props.onChange(startingPart(options[next], root), props.fieldPathId.path);
  };
  const hasField = option !== undefined && option.type !== "null";
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Options
        label={label}
        labelHidden={labelHidden}
        hint={hint}
        error={hasField ? undefined : firstError(errorSchema?.__errors)}
        options={[
          ...options.map(({ title }, index) => ({
            value: String(index),
            label: title ?? `Option ${index + 1}`,
          })),
          ...(required ? [] : [{ value: LEAVE_OUT, label: "Leave out" }]),
        ]}
        value={option ? String(at) : LEAVE_OUT}
        onChange={pick}
        disabled={disabled === true}
      />
      {hasField && (
        <SchemaField
          {...props}
          key={at}
          required
          schema={inheritedType(schema, option)}
          uiSchema={namedBy(label.replace(/ \(optional\)$/, ""), props.uiSchema)}
        />
      )}
    </div>
  );
};

type OptionsProps = Parameters<typeof Choice<string>>[0];

const Options = (props: OptionsProps) => {
  if (props.options.length <= MAX_IN_SIGHT) return <Choice {...props} />;
  const { onChange, options, value, ...words } = props;
  return (
    <Select
      {...words}
      options={options}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
};

/** An option without a type of its own has that of the whole. */
const inheritedType = ({ type }: RJSFSchema, option: RJSFSchema): RJSFSchema =>
  type === undefined || option.type !== undefined ? option : { ...option, type };

/** The field of the chosen form answers to the name of the whole, which is in sight already. */
const namedBy = (label: string, uiSchema: UiSchema | undefined): UiSchema => ({
  ...uiSchema,
  "ui:title": label,
  "ui:labelHidden": true,
});
