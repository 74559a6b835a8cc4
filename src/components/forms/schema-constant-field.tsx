import type { FieldProps } from "@rjsf/utils";
import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldNotes } from "@/components/ui/field-notes";
import { getFieldTexts } from "./field-texts";

/** A field whose only value is null: shown as text if required, else a checkbox. */
export const SchemaNullField = (props: FieldProps) => {
  const { label, hint, error, required } = getFieldTexts(props);
  // A draft entered as JSON may have another value, which must stay replaceable.
  const hasOtherValue = props.formData !== undefined && props.formData !== null;
  if (required && !hasOtherValue) return <ConstantValue label={label} hint={hint} value="null" />;
  return (
    <Checkbox
      label={`${label}: null`}
      hint={hint}
      error={error}
      checked={props.formData === null}
      disabled={props.disabled}
      onChange={({ target }) =>
        props.onChange(target.checked ? null : undefined, props.fieldPathId.path)
      }
    />
  );
};

type ConstantValueProps = { label: string; hint: string | undefined; value: string };

/** Shows the only value that a field can have. */
export const ConstantValue = ({ label, hint, value }: ConstantValueProps) => (
  <div className="grid grid-cols-1 gap-1.5 break-words">
    <p className="text-sm">
      <span className="text-muted">{label}</span> {value}
    </p>
    <FieldNotes id={useId()} hint={hint} />
  </div>
);
