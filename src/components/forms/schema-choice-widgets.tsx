import { deepEquals, type WidgetProps } from "@rjsf/utils";
import type { JsonValue } from "@/contract/json";
import { Checkbox } from "@/components/ui/checkbox";
import { Select } from "@/components/ui/select";
import { RadioGroup, type RadioOption } from "./radio-group";
import { ENUM_TITLES } from "./form-schema";
import { FieldGroup } from "./field-group";
import { type FieldTexts, getWidgetTexts } from "./field-texts";
import { ConstantValue } from "./schema-constant-field";

/** More options than these, or longer labels, are shown in a dropdown. */
const MAX_RADIO_OPTIONS = 4;
const MAX_RADIO_LABEL_LENGTH = 24;
const OMIT = "none";

/** Selects one or several values of an `enum`, of any types. */
export const SchemaSelectWidget = (props: WidgetProps) =>
  props.multiple ? <MultiSelect {...props} /> : <SingleSelect {...props} />;

const SingleSelect = (props: WidgetProps) => {
  const { required, ...texts } = getWidgetTexts(props);
  const values = props.options.enumOptions ?? [];
  const options = values.map((_value, index) => ({
    value: String(index),
    label: getOptionLabel(props, index),
  }));
  const [onlyOption] = options;
  const selectedIndex = values.findIndex((option) => isSameValue(option.value, props.value));
  // A draft entered as JSON may have another value, which must stay replaceable.
  const hasOtherValue = selectedIndex < 0 && props.value !== undefined;
  if (required && onlyOption && options.length === 1 && !hasOtherValue) {
    return <ConstantValue label={texts.label} hint={texts.hint} value={onlyOption.label} />;
  }
  const control = {
    ...texts,
    required,
    options,
    value: selectedIndex >= 0 ? String(selectedIndex) : undefined,
    onChange: (value: string) =>
      props.onChange(value === OMIT ? undefined : (values[Number(value)]?.value as JsonValue)),
    disabled: props.disabled === true || props.readonly === true,
  };
  const isShort = options.every(({ label }) => label.length <= MAX_RADIO_LABEL_LENGTH);
  return isShort && options.length <= MAX_RADIO_OPTIONS ? (
    <RadioSelect {...control} />
  ) : (
    <DropdownSelect {...control} />
  );
};

type SingleSelectProps = Omit<FieldTexts, "required"> & {
  required: boolean;
  options: RadioOption<string>[];
  value: string | undefined;
  onChange: (value: string) => void;
  disabled: boolean;
};

const OMIT_OPTION = { value: OMIT, label: "Leave out" };

const RadioSelect = ({ required, options, value, ...control }: SingleSelectProps) => (
  <RadioGroup
    {...control}
    options={required ? options : [...options, OMIT_OPTION]}
    value={required ? value : (value ?? OMIT)}
  />
);

const DropdownSelect = ({ required, options, value, onChange, ...control }: SingleSelectProps) => (
  <Select
    {...control}
    options={[
      required ? { value: OMIT, label: "Choose…", disabled: true } : OMIT_OPTION,
      ...options,
    ]}
    value={value ?? OMIT}
    onChange={({ target }) => onChange(target.value)}
    aria-required={required || undefined}
  />
);

const MultiSelect = (props: WidgetProps) => {
  const { label, labelHidden, hint, error } = getWidgetTexts(props);
  const chosen = Array.isArray(props.value) ? (props.value as JsonValue[]) : [];
  const toggle = (value: JsonValue, on: boolean) => {
    const others = chosen.filter((one) => !isSameValue(one, value));
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
            checked={chosen.some((one) => isSameValue(one, option.value))}
            onChange={({ target }) => toggle(option.value as JsonValue, target.checked)}
          />
        ))}
      </div>
    </FieldGroup>
  );
};

/** A required boolean is a checkbox; an optional one has three states, because it can be omitted. */
export const SchemaBooleanWidget = (props: WidgetProps) => {
  const { required, ...texts } = getWidgetTexts(props);
  if (!required) return <OptionalBoolean {...props} texts={texts} />;
  return (
    <Checkbox
      label={texts.label}
      hint={texts.hint}
      error={texts.error}
      checked={props.value === true}
      disabled={props.disabled === true || props.readonly === true}
      onChange={({ target }) => props.onChange(target.checked)}
    />
  );
};

const OptionalBoolean = ({
  texts,
  ...props
}: WidgetProps & { texts: Omit<FieldTexts, "required"> }) => {
  const value = props.value as JsonValue | undefined;
  return (
    <RadioGroup
      {...texts}
      options={[
        { value: "yes", label: "Yes" },
        { value: "no", label: "No" },
        { value: OMIT, label: "Leave out" },
      ]}
      value={value === true ? "yes" : value === false ? "no" : OMIT}
      onChange={(answer) => props.onChange(answer === OMIT ? undefined : answer === "yes")}
      disabled={props.disabled === true || props.readonly === true}
    />
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
