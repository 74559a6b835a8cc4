import type { FieldProps } from "@rjsf/utils";
import { type ComponentType, useState } from "react";
import type { JsonValue } from "@/contract/json";
import { TextField } from "@/components/ui/text-field";
import { fieldWords } from "./field-words";

/** A number; what is none is kept as it was typed, for the check to refuse. */
export const SchemaNumberField = (props: FieldProps) => {
  const { schema, registry, onChange, fieldPathId } = props;
  const value = props.formData as JsonValue | undefined;
  const { required, ...words } = fieldWords(props);
  // "1." and "-0" are on their way to numbers that they do not look like yet.
  const [typed, setTyped] = useState("");
  if (registry.schemaUtils.isSelect(schema)) {
    const StringField = registry.fields.StringField as ComponentType<FieldProps>;
    return <StringField {...props} />;
  }
  const write = (text: string) => {
    setTyped(text);
    onChange(numberOf(text), fieldPathId.path);
  };
  return (
    <TextField
      {...words}
      value={numberOf(typed) === value ? typed : textOf(value)}
      inputMode={schema.type === "integer" ? "numeric" : "decimal"}
      autoComplete="off"
      disabled={props.disabled}
      readOnly={props.readonly}
      aria-required={required || undefined}
      onChange={({ target }) => write(target.value)}
    />
  );
};

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const numberOf = (text: string): number | string | undefined => {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return NUMBER.test(trimmed) ? Number(trimmed) : text;
};

const textOf = (value: JsonValue | undefined): string =>
  typeof value === "number" || typeof value === "string" ? String(value) : "";
