import { localToUTC, utcToLocal, type WidgetProps } from "@rjsf/utils";
import { type ChangeEvent, type ClipboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { JsonValue } from "@/contract/json";
import { TextArea } from "@/components/ui/text-area";
import { TextField } from "@/components/ui/text-field";
import { EmptyChoice } from "./empty-choice";
import { getWidgetTexts, joinHint } from "./field-texts";

/** Texts with a larger `maxLength` get a field with several lines. */
const MAX_SINGLE_LINE_LENGTH = 200;
/** Names of fields that usually need more than a few words. */
const MULTILINE_NAME =
  /answer|body|comment|content|description|detail|explanation|message|note|reason|summary|text/i;

export const SchemaTextWidget = (props: WidgetProps) => {
  const { schema, disabled, onChange } = props;
  const { label, required, error } = getWidgetTexts(props);
  const canBeEmpty = required && !((schema.minLength ?? 0) > 0) && schema.format === undefined;
  const isEmpty = props.value === "";
  return (
    <div className="grid grid-cols-1 gap-2">
      <TextInput {...props} />
      <EmptyChoice
        label="Send empty text"
        fieldLabel={label}
        isEmpty={canBeEmpty && (isEmpty || props.value === undefined) ? isEmpty : undefined}
        isReported={error !== undefined}
        onChange={(shouldSend) => onChange(shouldSend ? "" : undefined)}
        disabled={disabled}
      />
    </div>
  );
};

const TextInput = (props: WidgetProps) => {
  const { schema, onChange } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [hasPasted, setPasted] = useState(false);
  // A multi-line field stays multi-line, because replacing the element would lose the focus.
  const [wasMultiline] = useState(() => isMultiline(props));
  const { required, ...texts } = getWidgetTexts(props);
  const value = toText(props.value as JsonValue | undefined);
  // A cleared field has no value. Empty text is a choice of its own.
  const handleText = (text: string) => onChange(text === "" ? undefined : text);
  const control = {
    ...texts,
    value,
    placeholder: getExample(schema.examples),
    disabled: props.disabled,
    readOnly: props.readonly,
    "aria-required": required || undefined,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      handleText(target.value),
  };
  if (hasPasted || wasMultiline || isMultiline(props)) {
    return <TextArea {...control} ref={area} autoFocus={hasPasted} rows={2} />;
  }
  const { format = "" } = schema;
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = format === "" ? readMultilinePaste(event) : undefined;
    if (pasted === undefined) return;
    event.preventDefault();
    flushSync(() => {
      setPasted(true);
      handleText(pasted.text);
    });
    area.current?.setSelectionRange(pasted.caret, pasted.caret);
  };
  const type = INPUT_TYPE.get(format) ?? "text";
  return <TextField {...control} type={type} autoComplete="off" onPaste={onPaste} />;
};

const toText = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

const isMultiline = ({ id, registry, schema, value }: WidgetProps): boolean => {
  if (schema.format !== undefined) return false;
  if (toText(value as JsonValue | undefined).includes("\n")) return true;
  if (schema.maxLength !== undefined) return schema.maxLength > MAX_SINGLE_LINE_LENGTH;
  const isRoot = id === registry.globalFormOptions.idPrefix;
  return isRoot || MULTILINE_NAME.test(id.slice(id.lastIndexOf("/") + 1));
};

/** Single-line inputs remove line breaks, so a paste that has some makes the field multi-line. */
const readMultilinePaste = (event: ClipboardEvent<HTMLInputElement>) => {
  const pasted = event.clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
  if (!pasted.trim().includes("\n")) return undefined;
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const start = selectionStart ?? value.length;
  const before = value.slice(0, start) + pasted;
  return { text: before + value.slice(selectionEnd ?? start), caret: before.length };
};

const INPUT_TYPE = new Map([
  ["email", "email"],
  ["uri", "url"],
  ["password", "password"],
]);

const getExample = (examples: unknown): string | undefined => {
  const [first] = Array.isArray(examples) ? (examples as unknown[]) : [];
  return typeof first === "string" || typeof first === "number" ? `${first}` : undefined;
};

export const SchemaDateWidget = (props: WidgetProps) => (
  <TemporalField {...props} type="date" toInput={(value) => value} fromInput={(input) => input} />
);

/** Entered in local time, submitted in UTC. */
export const SchemaDateTimeWidget = (props: WidgetProps) => (
  <TemporalField
    {...props}
    type="datetime-local"
    note="In your time zone."
    toInput={(value) => utcToLocal(value).slice(0, 16)}
    fromInput={(input) => localToUTC(input)}
  />
);

/** Times of JSON Schema have an offset, which time inputs do not support. */
export const SchemaTimeWidget = (props: WidgetProps) => (
  <TemporalField
    {...props}
    type="time"
    note="In UTC."
    toInput={(value) => value.replace(/(:00)?Z$/i, "")}
    fromInput={(input) => `${input.length === 5 ? `${input}:00` : input}Z`}
  />
);

type TemporalFieldProps = WidgetProps & {
  type: "date" | "datetime-local" | "time";
  note?: string;
  toInput: (value: string) => string;
  fromInput: (input: string) => string | undefined;
};

const TemporalField = ({ type, note, toInput, fromInput, ...props }: TemporalFieldProps) => {
  const { required, ...texts } = getWidgetTexts(props);
  const value = props.value as JsonValue | undefined;
  return (
    <div className="max-w-64">
      <TextField
        {...texts}
        hint={note === undefined ? texts.hint : joinHint(texts.hint, note)}
        type={type}
        value={typeof value === "string" ? toInput(value) : ""}
        disabled={props.disabled}
        readOnly={props.readonly}
        aria-required={required || undefined}
        onChange={({ target }) =>
          props.onChange(target.value === "" ? undefined : fromInput(target.value))
        }
      />
    </div>
  );
};
