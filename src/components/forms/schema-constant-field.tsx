import type { FieldProps } from "@rjsf/utils";
import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldNotes } from "@/components/ui/field-notes";
import { fieldWords } from "./field-words";

/** A field whose only value is null: there is nothing to say, or whether to say it. */
export const SchemaNullField = (props: FieldProps) => {
  const { label, hint, error, required } = fieldWords(props);
  // A draft written as JSON may hold another value, which the person has to be able to replace.
  const isOther = props.formData !== undefined && props.formData !== null;
  if (required && !isOther) return <OnlyValue label={label} hint={hint} value="null" />;
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

type OnlyValueProps = { label: string; hint: string | undefined; value: string };

/** There is nothing to choose: the answer has this value whatever is done. */
export const OnlyValue = ({ label, hint, value }: OnlyValueProps) => (
  <div className="grid grid-cols-1 gap-1.5 break-words">
    <p className="text-sm">
      <span className="text-muted">{label}</span> {value}
    </p>
    <FieldNotes id={useId()} hint={hint} />
  </div>
);
