import type { FieldProps } from "@rjsf/utils";
import { Checkbox } from "@/components/ui/checkbox";
import { fieldWords } from "./field-words";
import { OnlyValue } from "./only-value";

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
