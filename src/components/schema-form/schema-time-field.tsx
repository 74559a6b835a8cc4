import { TextField } from "@/components/ui/text-field";
import type { FieldProps } from "./field-props";
import { getFieldTexts } from "./field-texts";
import { TIME_FORMATS } from "./time-formats";

/** A date, a time or both. */
export const SchemaTimeField = (props: FieldProps) => {
  const { schema, value, onChange, isRequired, disabled } = props;
  const texts = getFieldTexts(props);
  const format = TIME_FORMATS.get(schema.format);
  if (!format) return null;
  const { type, toInput, fromInput } = format;
  return (
    <div className="max-w-64">
      <TextField
        {...texts}
        type={type}
        value={typeof value === "string" ? toInput(value) : ""}
        disabled={disabled}
        aria-required={isRequired || undefined}
        onChange={({ target }) =>
          onChange(target.value === "" ? undefined : fromInput(target.value))
        }
      />
    </div>
  );
};
