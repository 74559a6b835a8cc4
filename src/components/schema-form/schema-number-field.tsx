import { useState } from "react";
import type { JsonObject, JsonValue } from "@/contract/json";
import { TextField } from "@/components/ui/text-field";
import { isExactNumber, parseExactNumber } from "@/lib/exact-json";
import { isSameJson } from "@/lib/is-same-json";
import type { FieldProps } from "./field-props";
import { getFieldTexts, joinHint } from "./field-texts";
import { readEnteredNumber } from "./field-value";

/** A number. Other input stays as typed, and the validation reports it. */
export const SchemaNumberField = (props: FieldProps) => {
  const { schema, value, onChange, isRequired, disabled } = props;
  // "1." and "-0" are unfinished numbers, whose text must not be reformatted while typing.
  const [typed, setTyped] = useState("");
  const texts = getFieldTexts(props);
  const handleChange = (text: string) => {
    setTyped(text);
    onChange(parseNumber(schema, text));
  };
  const text = isSameJson(parseNumber(schema, typed), value) ? typed : formatNumber(value);
  const note = describeReading(text, value);
  return (
    <TextField
      {...texts}
      hint={note === undefined ? texts.hint : joinHint(texts.hint, note)}
      value={text}
      inputMode={schema.type === "integer" ? "numeric" : "decimal"}
      autoComplete="off"
      autoFocus={props.autoFocus}
      disabled={disabled}
      aria-required={isRequired || undefined}
      onChange={({ target }) => handleChange(target.value)}
    />
  );
};

/** A number of more digits than JavaScript's have is kept as it was entered. */
const parseNumber = (schema: JsonObject, text: string): JsonValue | undefined => {
  if (text.trim() === "") return undefined;
  const read = readEnteredNumber(schema, text);
  return read && "number" in read ? parseExactNumber(read.number) : text;
};

/** Says how a text was read that can be read in several ways, such as one with a comma. */
const describeReading = (text: string, value: JsonValue | undefined): string | undefined =>
  typeof value === "string" || value === undefined || PLAIN_NUMBER.test(text.trim())
    ? undefined
    : `Read as ${formatNumber(value)}.`;

/** A point and three digits could also be a group of them. */
const PLAIN_NUMBER = /^-?\d*(\.(\d{0,2}|\d{4,}))?$/;

const formatNumber = (value: JsonValue | undefined): string => {
  if (isExactNumber(value)) return value.rawJSON;
  return typeof value === "number" || typeof value === "string" ? String(value) : "";
};
