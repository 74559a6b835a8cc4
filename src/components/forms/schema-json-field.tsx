import type { FieldProps } from "@rjsf/utils";
import { useState } from "react";
import type { JsonValue } from "@/contract/json";
import { TextArea } from "@/components/ui/text-area";
import { parseJson } from "./draft";
import { fieldWords, hintWith } from "./field-words";
import { ANY_JSON } from "./form-schema";

const WHAT = new Map([
  ["object", "A JSON object."],
  ["array", "A JSON list."],
]);

/** A place that the schema says nothing of: JSON as text. What is no JSON is taken as a text. */
export const SchemaJsonField = (props: FieldProps) => {
  const { label, labelHidden, hint, error, required } = fieldWords(props);
  const value = props.formData as JsonValue | undefined;
  const [text, setText] = useState(() => textOf(value));
  const type = String((props.schema as { [ANY_JSON]?: string })[ANY_JSON] ?? "any");
  const what = WHAT.get(type);
  const parsed = parseJson(text);
  const write = (next: string) => {
    setText(next);
    const read = parseJson(next);
    props.onChange(valueOf(next, read), props.fieldPathId.path);
  };
  const wrong =
    what && text.trim() !== "" && "problems" in parsed ? "Must be valid JSON." : undefined;
  return (
    <TextArea
      label={label}
      labelHidden={labelHidden}
      error={wrong ?? error}
      hint={hintWith(hint, what ?? "JSON; anything else is sent as text.")}
      isMonospace
      spellCheck={false}
      value={text}
      disabled={props.disabled}
      readOnly={props.readonly}
      aria-required={required || undefined}
      onChange={({ target }) => write(target.value)}
    />
  );
};

const textOf = (value: JsonValue | undefined): string => {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
};

const valueOf = (text: string, read: ReturnType<typeof parseJson>): JsonValue | undefined => {
  if (text.trim() === "") return undefined;
  return "value" in read ? read.value : text;
};
