import { localToUTC, utcToLocal, type WidgetProps } from "@rjsf/utils";
import { type ChangeEvent, type ClipboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { JsonValue } from "@/contract/json";
import { TextArea } from "@/components/ui/text-area";
import { TextField } from "@/components/ui/text-field";
import { hintWith, widgetWords } from "./field-words";

/** Texts that may get longer than this have several lines. */
const ONE_LINE_LENGTH = 200;
/** Names of fields that ask for more than a few words. */
const PROSE =
  /answer|body|comment|content|description|detail|explanation|message|note|reason|summary|text/i;

export const SchemaTextWidget = (props: WidgetProps) => {
  const { schema, onChange } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [hasPasted, setPasted] = useState(false);
  // Once it has lines it keeps them: another field would not have the focus.
  const [hadLines] = useState(() => isProse(props));
  const { required, ...words } = widgetWords(props);
  const value = textOf(props.value as JsonValue | undefined);
  // An emptied field is left out, unless it is a text that has to be there.
  const write = (text: string) => onChange(text === "" && !required ? undefined : text);
  const control = {
    ...words,
    value,
    placeholder: example(schema.examples),
    disabled: props.disabled,
    readOnly: props.readonly,
    "aria-required": required || undefined,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      write(target.value),
  };
  if (hasPasted || hadLines || isProse(props)) {
    return <TextArea {...control} ref={area} autoFocus={hasPasted} rows={2} />;
  }
  const { format = "" } = schema;
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = format === "" ? pastedLines(event) : undefined;
    if (pasted === undefined) return;
    event.preventDefault();
    flushSync(() => {
      setPasted(true);
      write(pasted.text);
    });
    area.current?.setSelectionRange(pasted.caret, pasted.caret);
  };
  const type = INPUT_TYPE.get(format) ?? "text";
  return <TextField {...control} type={type} autoComplete="off" onPaste={onPaste} />;
};

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

const isProse = ({ id, registry, schema, value }: WidgetProps): boolean => {
  if (schema.format !== undefined || schema.pattern !== undefined) return false;
  if (textOf(value as JsonValue | undefined).includes("\n")) return true;
  if (schema.maxLength !== undefined) return schema.maxLength > ONE_LINE_LENGTH;
  const isWhole = id === registry.globalFormOptions.idPrefix;
  return isWhole || PROSE.test(id.slice(id.lastIndexOf("/") + 1));
};

/** A field of one line would swallow line breaks; with them in its value it becomes one of several. */
const pastedLines = (event: ClipboardEvent<HTMLInputElement>) => {
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
    note="In your time zone."
    read={(value) => utcToLocal(value).slice(0, 16)}
    write={(input) => localToUTC(input)}
  />
);

/** JSON Schema's times carry an offset, which an input for a time does not know. */
export const SchemaTimeWidget = (props: WidgetProps) => (
  <MomentField
    {...props}
    type="time"
    note="In UTC."
    read={(value) => value.replace(/(:00)?Z$/i, "")}
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
        hint={note === undefined ? words.hint : hintWith(words.hint, note)}
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
