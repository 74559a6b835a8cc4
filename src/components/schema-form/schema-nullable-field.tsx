import { useState } from "react";
import type { JsonValue } from "@/contract/json";
import { Checkbox } from "@/components/ui/checkbox";
import { VisuallyHidden } from "@/components/ui/visually-hidden";
import type { FieldProps } from "./field-props";
import { formatLabel } from "./field-texts";
import { listOptions } from "./field-value";

/** A field whose answer may also be that there is no value, which is not the same as none being given. */
export const SchemaNullableField = (props: FieldProps) => {
  const { schema, value, onChange, name, isRequired, disabled, Field } = props;
  const [inner = {}] = listOptions(schema);
  const isNull = value === null;
  const [kept, setKept] = useState<JsonValue | undefined>();
  const toggle = (isChecked: boolean) => {
    setKept(value);
    onChange(isChecked ? null : (kept ?? undefined));
  };
  const { description = inner.description } = schema;
  return (
    <div className="grid grid-cols-1 gap-2">
      <Field
        {...props}
        schema={description === undefined ? inner : { ...inner, description }}
        value={isNull ? undefined : value}
        isRoot={false}
        disabled={disabled || isNull}
      />
      <Checkbox
        label={
          <>
            No value
            <VisuallyHidden> for {formatLabel(name, isRequired)}</VisuallyHidden>
          </>
        }
        checked={isNull}
        disabled={disabled}
        onChange={({ target }) => toggle(target.checked)}
      />
    </div>
  );
};
