import { type ChangeEvent, type ClipboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { JsonValue } from "@/contract/json";
import { CODE_INPUT } from "@/components/ui/code-input";
import { TextArea } from "@/components/ui/text-area";
import { TextField } from "@/components/ui/text-field";
import { EmptyChoice } from "./empty-choice";
import type { FieldProps } from "./field-props";
import { formatLabel, getFieldTexts } from "./field-texts";
import { CONTROL, type FieldControl } from "./form-keywords";

/** Texts with a larger `maxLength` get a field with several lines. */
const MAX_SINGLE_LINE_LENGTH = 200;
/** Names of fields that usually need more than a few words. */
const MULTILINE_NAME =
  /answer|body|comment|content|description|detail|explanation|message|note|reason|summary|text/i;

/** A text. */
export const SchemaTextField = (props: FieldProps) => {
  const { schema, value, name, errors, onChange, isRequired, disabled } = props;
  const canBeEmpty = isRequired && !(Number(schema.minLength) > 0) && schema.format === undefined;
  const isEmpty = value === "";
  return (
    <div className="grid grid-cols-1 gap-2">
      <TextInput {...props} />
      <EmptyChoice
        label="Leave empty on purpose"
        fieldLabel={formatLabel(name, isRequired)}
        isEmpty={canBeEmpty && (isEmpty || value === undefined) ? isEmpty : undefined}
        isReported={errors.length > 0}
        onChange={(shouldSend) => onChange(shouldSend ? "" : undefined)}
        disabled={disabled}
      />
    </div>
  );
};

const TextInput = (props: FieldProps) => {
  const { schema, onChange, isRequired, disabled } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [hasPasted, setPasted] = useState(false);
  // A multi-line field stays multi-line, because replacing the element would lose the focus.
  const [wasMultiline] = useState(() => isMultiline(props));
  // A cleared field has no value. Empty text is a choice of its own.
  const handleText = (text: string) => onChange(text === "" ? undefined : text);
  const control = {
    ...getFieldTexts(props),
    value: toInput(props.value),
    placeholder: getExample(schema.examples),
    disabled,
    autoFocus: props.autoFocus === true || hasPasted,
    "aria-required": isRequired || undefined,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      handleText(target.value),
  };
  const style = schema[CONTROL] as FieldControl | undefined;
  const isCode = style === "code" || style === "code-lines" || schema.format === "password";
  const codeInput = isCode ? CODE_INPUT : {};
  if (hasPasted || wasMultiline || isMultiline(props)) {
    const rows = style === undefined ? { rows: 2 } : {};
    return <TextArea {...control} {...codeInput} {...rows} ref={area} isMonospace={isCode} />;
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const isFree = schema.format === undefined && style === undefined;
    const pasted = isFree ? readMultilinePaste(event) : undefined;
    if (pasted === undefined) return;
    event.preventDefault();
    flushSync(() => {
      setPasted(true);
      handleText(pasted.text);
    });
    area.current?.setSelectionRange(pasted.caret, pasted.caret);
  };
  const type = INPUT_TYPE.get(schema.format) ?? "text";
  return <TextField {...control} autoComplete="off" {...codeInput} type={type} onPaste={onPaste} />;
};

const toInput = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

const isMultiline = ({ id, isRoot = false, schema, value }: FieldProps): boolean => {
  const style = schema[CONTROL];
  if (style !== undefined) return style === "lines" || style === "code-lines";
  if (schema.format !== undefined) return false;
  if (toInput(value).includes("\n")) return true;
  if (typeof schema.maxLength === "number") return schema.maxLength > MAX_SINGLE_LINE_LENGTH;
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

const INPUT_TYPE = new Map<JsonValue | undefined, string>([
  ["email", "email"],
  ["uri", "url"],
  ["password", "password"],
]);

const getExample = (examples: JsonValue | undefined): string | undefined => {
  const [first] = [examples ?? []].flat();
  return typeof first === "string" || typeof first === "number" ? `${first}` : undefined;
};
