import type { FieldProps } from "@rjsf/utils";
import { useState } from "react";
import type { JsonValue } from "@/contract/json";
import { TextArea } from "@/components/ui/text-area";
import { parseJson } from "./parse-json";
import { getFieldTexts, joinHint } from "./field-texts";
import { ANY_JSON } from "./form-schema";

const HINT_BY_TYPE = new Map([
  ["object", "A JSON object."],
  ["array", "A JSON list."],
]);

/** A field without a schema: JSON as text. Invalid JSON becomes a string. */
export const SchemaJsonField = (props: FieldProps) => {
  const { label, labelHidden, hint, error, required } = getFieldTexts(props);
  const value = props.formData as JsonValue | undefined;
  const [text, setText] = useState(() => toText(value));
  const type = String((props.schema as { [ANY_JSON]?: string })[ANY_JSON] ?? "any");
  const jsonHint = HINT_BY_TYPE.get(type);
  const parsed = parseJson(text);
  const handleChange = (next: string) => {
    setText(next);
    const result = parseJson(next);
    props.onChange(toValue(next, result), props.fieldPathId.path);
  };
  const syntaxError =
    jsonHint && text.trim() !== "" && "errors" in parsed ? "Must be valid JSON." : undefined;
  return (
    <TextArea
      label={label}
      labelHidden={labelHidden}
      error={syntaxError ?? error}
      hint={joinHint(hint, jsonHint ?? "Enter JSON. Other input is sent as text.")}
      isMonospace
      spellCheck={false}
      value={text}
      disabled={props.disabled}
      readOnly={props.readonly}
      aria-required={required || undefined}
      onChange={({ target }) => handleChange(target.value)}
    />
  );
};

const toText = (value: JsonValue | undefined): string => {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
};

const toValue = (text: string, result: ReturnType<typeof parseJson>): JsonValue | undefined => {
  if (text.trim() === "") return undefined;
  return "value" in result ? result.value : text;
};
