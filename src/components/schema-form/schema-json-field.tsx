import { useState } from "react";
import type { JsonValue } from "@/contract/json";
import { TextArea } from "@/components/ui/text-area";
import { parseJson } from "./parse-json";
import type { FieldProps } from "./field-props";
import { getFieldTexts, joinHint, toText } from "./field-texts";
import { ANY_JSON, JSON_REASON } from "./form-keywords";

const HINT_BY_TYPE = new Map<JsonValue | undefined, string>([
  ["object", "A JSON object."],
  ["array", "A JSON list."],
]);

/** A field without a schema: JSON as text. Invalid JSON becomes a string. */
export const SchemaJsonField = (props: FieldProps) => {
  const { label, labelHidden, hint, error } = getFieldTexts(props);
  const [text, setText] = useState(() => toJsonText(props.value));
  const jsonHint = HINT_BY_TYPE.get(props.schema[ANY_JSON]);
  const note = jsonHint ?? "Enter JSON. Other input is sent as text.";
  const reason = toText(props.schema[JSON_REASON]);
  const parsed = parseJson(text);
  const handleChange = (next: string) => {
    setText(next);
    props.onChange(toValue(next, parseJson(next)));
  };
  const syntaxError =
    jsonHint && text.trim() !== "" && "errors" in parsed ? "Must be valid JSON." : undefined;
  return (
    <TextArea
      label={label}
      labelHidden={labelHidden}
      error={syntaxError ?? error}
      hint={joinHint(reason === undefined ? hint : joinHint(hint, reason), note)}
      isMonospace
      spellCheck={false}
      value={text}
      disabled={props.disabled}
      aria-required={props.isRequired || undefined}
      onChange={({ target }) => handleChange(target.value)}
    />
  );
};

const toJsonText = (value: JsonValue | undefined): string => {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
};

const toValue = (text: string, result: ReturnType<typeof parseJson>): JsonValue | undefined => {
  if (text.trim() === "") return undefined;
  return "value" in result ? result.value : text;
};
