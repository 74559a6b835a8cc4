import { ADDITIONAL_PROPERTY_FLAG, type FieldTemplateProps, getSchemaType } from "@rjsf/utils";
import { Trash2 } from "lucide-react";
import { useId } from "react";
import { FieldNotes } from "@/components/ui/field-notes";
import { IconButton } from "@/components/ui/icon-button";
import { TextField } from "@/components/ui/text-field";
import { firstError } from "./field-words";

/** Single controls say their own name, hint and error; groups have their error here, below all of it. */
export const SchemaFieldTemplate = (props: FieldTemplateProps) => {
  const id = useId();
  const { children, hidden, schema, rawErrors } = props;
  const type = getSchemaType(schema);
  const isGroup = type === "object" || type === "array";
  const isChoice = schema.anyOf !== undefined || schema.oneOf !== undefined;
  const error = isGroup && !isChoice ? firstError(rawErrors) : undefined;
  return (
    <div
      hidden={hidden}
      data-group-error={error !== undefined || undefined}
      tabIndex={error === undefined ? undefined : -1}
    >
      {ADDITIONAL_PROPERTY_FLAG in schema ? <ExtraField {...props} /> : children}
      {error !== undefined && (
        <div className="pt-1.5">
          <FieldNotes id={id} error={error} />
        </div>
      )}
    </div>
  );
};

/** A field that the schema has no name for: the person gives it one. */
const ExtraField = (props: FieldTemplateProps) => {
  const { children, label, disabled, readonly, onKeyRenameBlur, onRemoveProperty } = props;
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-32">
        <TextField
          key={label}
          label="Name"
          defaultValue={label}
          onBlur={onKeyRenameBlur}
          disabled={disabled}
          readOnly={readonly}
        />
      </div>
      <div className="min-w-0 flex-2 basis-40">{children}</div>
      <IconButton
        label={`Remove ${label}`}
        icon={<Trash2 aria-hidden size={16} />}
        onClick={onRemoveProperty}
        disabled={disabled || readonly}
      />
    </div>
  );
};
