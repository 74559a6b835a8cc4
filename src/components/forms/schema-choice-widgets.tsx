import { deepEquals, type WidgetProps } from "@rjsf/utils";
import type { JsonValue } from "@/contract/json";
import { Checkbox } from "@/components/ui/checkbox";
import { Select } from "@/components/ui/select";
import { Choice, type ChoiceOption } from "./choice";
import { VALUE_NAMES } from "./form-schema";
import { FieldGroup } from "./field-group";
import { type FieldWords, widgetWords } from "./field-words";
import { OnlyValue } from "./schema-constant-field";

/** More choices than these, or longer ones, go into a list that opens. */
const MAX_IN_SIGHT = 4;
const MAX_IN_SIGHT_LENGTH = 24;
const LEAVE_OUT = "none";

/** One of the values that a schema lists, whatever their types; also several of them. */
export const SchemaSelectWidget = (props: WidgetProps) =>
  props.multiple ? <Several {...props} /> : <OneOf {...props} />;

const OneOf = (props: WidgetProps) => {
  const { required, ...words } = widgetWords(props);
  const values = props.options.enumOptions ?? [];
  const options = values.map((_value, index) => ({
    value: String(index),
    label: nameOf(props, index),
  }));
  const [only] = options;
  const at = values.findIndex((option) => isSame(option.value, props.value));
  // A draft written as JSON may hold another value, which the person has to be able to replace.
  const isOther = at < 0 && props.value !== undefined;
  if (required && only && options.length === 1 && !isOther) {
    return <OnlyValue label={words.label} hint={words.hint} value={only.label} />;
  }
  const control = {
    ...words,
    required,
    options,
    value: at >= 0 ? String(at) : undefined,
    onChange: (value: string) =>
      props.onChange(value === LEAVE_OUT ? undefined : (values[Number(value)]?.value as JsonValue)),
    disabled: props.disabled === true || props.readonly === true,
  };
  const isShort = options.every(({ label }) => label.length <= MAX_IN_SIGHT_LENGTH);
  return isShort && options.length <= MAX_IN_SIGHT ? (
    <InSight {...control} />
  ) : (
    <List {...control} />
  );
};

type OneOfProps = Omit<FieldWords, "required"> & {
  required: boolean;
  options: ChoiceOption<string>[];
  value: string | undefined;
  onChange: (value: string) => void;
  disabled: boolean;
};

const NONE = { value: LEAVE_OUT, label: "Leave out" };

const InSight = ({ required, options, value, ...control }: OneOfProps) => (
  <Choice
    {...control}
    options={required ? options : [...options, NONE]}
    value={required ? value : (value ?? LEAVE_OUT)}
  />
);

const List = ({ required, options, value, onChange, ...control }: OneOfProps) => (
  <Select
    {...control}
    options={[required ? { value: LEAVE_OUT, label: "Choose…", disabled: true } : NONE, ...options]}
    value={value ?? LEAVE_OUT}
    onChange={({ target }) => onChange(target.value)}
    aria-required={required || undefined}
  />
);

const Several = (props: WidgetProps) => {
  const { label, labelHidden, hint, error } = widgetWords(props);
  const chosen = Array.isArray(props.value) ? (props.value as JsonValue[]) : [];
  const toggle = (value: JsonValue, on: boolean) => {
    const others = chosen.filter((one) => !isSame(one, value));
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
            label={nameOf(props, index)}
            checked={chosen.some((one) => isSame(one, option.value))}
            onChange={({ target }) => toggle(option.value as JsonValue, target.checked)}
          />
        ))}
      </div>
    </FieldGroup>
  );
};

/** A required yes or no is a box to tick; an optional one can also be left out, so it has three states. */
export const SchemaBooleanWidget = (props: WidgetProps) => {
  const { required, ...words } = widgetWords(props);
  if (!required) return <YesNo {...props} words={words} />;
  return (
    <Checkbox
      label={words.label}
      hint={words.hint}
      error={words.error}
      checked={props.value === true}
      disabled={props.disabled === true || props.readonly === true}
      onChange={({ target }) => props.onChange(target.checked)}
    />
  );
};

const YesNo = ({ words, ...props }: WidgetProps & { words: Omit<FieldWords, "required"> }) => {
  const value = props.value as JsonValue | undefined;
  return (
    <Choice
      {...words}
      options={[
        { value: "yes", label: "Yes" },
        { value: "no", label: "No" },
        { value: LEAVE_OUT, label: "Leave out" },
      ]}
      value={value === true ? "yes" : value === false ? "no" : LEAVE_OUT}
      onChange={(answer) => props.onChange(answer === LEAVE_OUT ? undefined : answer === "yes")}
      disabled={props.disabled === true || props.readonly === true}
    />
  );
};

const isSame = (one: unknown, other: unknown): boolean =>
  one !== undefined && deepEquals(one, other);

const nameOf = ({ options, schema }: WidgetProps, index: number): string => {
  const option = options.enumOptions?.[index];
  const value = option?.value as JsonValue | undefined;
  const names = (schema as { [VALUE_NAMES]?: JsonValue[] })[VALUE_NAMES];
  const name = names?.[index];
  if (typeof name === "string") return name;
  if (typeof value === "object") return JSON.stringify(value);
  return value === "" ? "Empty text" : (option?.label ?? "");
};
