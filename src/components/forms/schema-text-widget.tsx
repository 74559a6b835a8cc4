import { getSchemaType, localToUTC, utcToLocal, type WidgetProps } from "@rjsf/utils";
import type { ChangeEvent } from "react";
import type { JsonValue } from "@/contract/json";
import { TextArea } from "@/components/ui/text-area";
import { TextField } from "@/components/ui/text-field";
import { widgetWords } from "./field-words";

/** Texts that may get longer than this have several lines. */
const ONE_LINE_LENGTH = 120;

/** Text and numbers. */
export const SchemaTextWidget = (props: WidgetProps) => {
  const type = getSchemaType(props.schema);
  const isNumber = type === "number" || type === "integer";
  const control = textControl(props, isNumber);
  if (isNumber) {
    const inputMode = type === "integer" ? "numeric" : "decimal";
    return <TextField {...control} inputMode={inputMode} autoComplete="off" />;
  }
  const { format, pattern, maxLength = Infinity } = props.schema;
  if (format === undefined && pattern === undefined && maxLength > ONE_LINE_LENGTH) {
    return <TextArea {...control} rows={1} />;
  }
  const inputType = INPUT_TYPE.get(format ?? "") ?? "text";
  return <TextField {...control} type={inputType} autoComplete="off" />;
};

const textControl = (props: WidgetProps, isNumber: boolean) => {
  const { required, ...words } = widgetWords(props);
  const value = props.value as JsonValue | undefined;
  // An emptied field is left out, unless it is a text that has to be there.
  const none = isNumber || !required ? undefined : "";
  return {
    ...words,
    value: typeof value === "string" || typeof value === "number" ? String(value) : "",
    placeholder: example(props.schema.examples),
    disabled: props.disabled,
    readOnly: props.readonly,
    "aria-required": required || undefined,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      props.onChange(target.value === "" ? none : target.value),
  };
};

const INPUT_TYPE = new Map([
  ["email", "email"],
  ["uri", "url"],
  ["password", "password"],
]);

const example = (examples: unknown): string | undefined => {
  const [first] = Array.isArray(examples) ? (examples as unknown[]) : [];
  return typeof first === "string" || typeof first === "number" ? `${first}` : undefined;
};

export const SchemaDateWidget = (props: WidgetProps) => (
  <MomentField {...props} type="date" read={(value) => value} write={(input) => input} />
);

/** Entered as the clock on the wall shows it, sent with its offset resolved. */
export const SchemaDateTimeWidget = (props: WidgetProps) => (
  <MomentField
    {...props}
    type="datetime-local"
    note="In your time zone"
    read={(value) => utcToLocal(value).slice(0, 16)}
    write={(input) => localToUTC(input)}
  />
);

/** JSON Schema's times carry an offset, which an input for a time does not know. */
export const SchemaTimeWidget = (props: WidgetProps) => (
  <MomentField
    {...props}
    type="time"
    note="In UTC"
    read={(value) => value.replace(/Z$/i, "")}
    write={(input) => `${input.length === 5 ? `${input}:00` : input}Z`}
  />
);

type MomentFieldProps = WidgetProps & {
  type: "date" | "datetime-local" | "time";
  note?: string;
  read: (value: string) => string;
  write: (input: string) => string | undefined;
};

const MomentField = ({ type, note, read, write, ...props }: MomentFieldProps) => {
  const { required, ...words } = widgetWords(props);
  const value = props.value as JsonValue | undefined;
  return (
    <div className="max-w-64">
      <TextField
        {...words}
        hint={[words.hint, note].filter((part) => part !== undefined).join(". ") || undefined}
        type={type}
        value={typeof value === "string" ? read(value) : ""}
        disabled={props.disabled}
        readOnly={props.readonly}
        aria-required={required || undefined}
        onChange={({ target }) =>
          props.onChange(target.value === "" ? undefined : write(target.value))
        }
      />
    </div>
  );
};
