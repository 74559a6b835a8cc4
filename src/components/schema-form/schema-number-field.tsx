import type { FieldProps } from "@rjsf/utils";
import { useState } from "react";
import type { JsonValue } from "@/contract/json";
import { TextField } from "@/components/ui/text-field";
import { getFieldTexts } from "./field-texts";

/** A number. Other input stays as typed, and the validation reports it. */
export const SchemaNumberField = (props: FieldProps) => {
  const { schema, onChange, fieldPathId } = props;
  const value = props.formData as JsonValue | undefined;
  const { required, ...texts } = getFieldTexts(props);
  // "1." and "-0" are unfinished numbers, whose text must not be reformatted while typing.
  const [typed, setTyped] = useState("");
  const handleChange = (text: string) => {
    setTyped(text);
    onChange(parseNumber(text), fieldPathId.path);
  };
  return (
    <TextField
      {...texts}
      value={parseNumber(typed) === value ? typed : toText(value)}
      inputMode={schema.type === "integer" ? "numeric" : "decimal"}
      autoComplete="off"
      disabled={props.disabled}
      readOnly={props.readonly}
      aria-required={required || undefined}
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

const toText = (value: JsonValue | undefined): string =>
  typeof value === "number" || typeof value === "string" ? String(value) : "";
