import { Lock } from "lucide-react";
import { FieldGroup } from "./field-group";
import type { FieldProps } from "./field-props";
import { getFieldTexts, joinHint } from "./field-texts";
import { formatValue } from "./field-value";

/** A value that is sent as it is. */
export const SchemaFixedField = (props: FieldProps) => {
  const { label, labelHidden, hint, error } = getFieldTexts({ ...props, isRequired: true });
  return (
    <FieldGroup
      label={label}
      labelHidden={labelHidden}
      hint={joinHint(hint, "Cannot be changed.")}
      error={error}
    >
      <p className="flex items-start gap-2 rounded-md border bg-bg px-3 py-1.5">
        <Lock aria-hidden size={14} className="mt-1 shrink-0 text-muted" />
        <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">
          {formatValue(props.schema.default ?? null)}
        </span>
      </p>
    </FieldGroup>
  );
};
