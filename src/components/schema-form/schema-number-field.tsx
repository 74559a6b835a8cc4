import { useState } from "react";
import type { JsonValue } from "@/contract/json";
import { TextField } from "@/components/ui/text-field";
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
      value={parseNumber(typed) === value ? typed : formatNumber(value)}
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

const parseNumber = (text: string): number | string | undefined => {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return NUMBER.test(trimmed) ? Number(trimmed) : text;
};

const formatNumber = (value: JsonValue | undefined): string =>
  typeof value === "number" || typeof value === "string" ? String(value) : "";
