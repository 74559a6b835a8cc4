import { useState } from "react";
import type { JsonValue } from "@/contract/json";
import { TextField } from "@/components/ui/text-field";
import { isExactNumber, parseExactNumber } from "@/lib/exact-json";
import { isSameJson } from "@/lib/is-same-json";
import type { FieldProps } from "./field-props";
import { getFieldTexts } from "./field-texts";

/** A number. Other input stays as typed, and the validation reports it. */
export const SchemaNumberField = (props: FieldProps) => {
  const { schema, value, onChange, isRequired, disabled } = props;
  // "1." and "-0" are unfinished numbers, whose text must not be reformatted while typing.
  const [typed, setTyped] = useState("");
  const handleChange = (text: string) => {
    setTyped(text);
    onChange(parseNumber(text));
  };
  return (
    <TextField
      {...getFieldTexts(props)}
      value={isSameJson(parseNumber(typed), value) ? typed : formatNumber(value)}
      inputMode={schema.type === "integer" ? "numeric" : "decimal"}
      autoComplete="off"
      autoFocus={props.autoFocus}
      disabled={disabled}
      aria-required={isRequired || undefined}
      onChange={({ target }) => handleChange(target.value)}
    />
  );
};

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A number of more digits than JavaScript's have is kept as it was entered. */
const parseNumber = (text: string): JsonValue | undefined => {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (!NUMBER.test(trimmed)) return text;
  return parseExactNumber(toJsonNumber(trimmed));
};

/** People also write "+1", "007", ".5" and "5.". */
const toJsonNumber = (text: string): string =>
  text
    .replace(/^\+/, "")
    .replace(/^(-?)0+(?=\d)/, "$1")
    .replace(/^-?(?=\.)/, "$&0")
    .replace(/\.(?!\d)/, "");

const formatNumber = (value: JsonValue | undefined): string => {
  if (isExactNumber(value)) return value.rawJSON;
  return typeof value === "number" || typeof value === "string" ? String(value) : "";
};
