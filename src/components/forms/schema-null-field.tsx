import type { FieldProps } from "@rjsf/utils";
import { Checkbox } from "@/components/ui/checkbox";
import { fieldWords } from "./field-words";

/** A field whose only value is null: there is nothing to say, or whether to say it. */
export const SchemaNullField = (props: FieldProps) => {
  const { label, hint, required } = fieldWords(props);
  if (!required) {
    return (
      <Checkbox
        label={`${label}: null`}
        hint={hint}
        checked={props.formData === null}
        disabled={props.disabled}
        onChange={({ target }) =>
          props.onChange(target.checked ? null : undefined, props.fieldPathId.path)
        }
      />
    );
  }
  return (
    <p className="text-sm">
      <span className="text-muted">{label}</span> null
    </p>
  );
};
