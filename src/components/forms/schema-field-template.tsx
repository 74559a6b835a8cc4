import { ADDITIONAL_PROPERTY_FLAG, type FieldTemplateProps } from "@rjsf/utils";
import { Trash2 } from "lucide-react";
import type { FocusEvent } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { TextField } from "@/components/ui/text-field";
import { PART, removePart } from "./keep-focus";

/** Controls, and groups of them, say their own name, hint and error; this is for fields that also need a name. */
export const SchemaFieldTemplate = (props: FieldTemplateProps) => (
  <div {...PART} hidden={props.hidden}>
    {ADDITIONAL_PROPERTY_FLAG in props.schema ? <ExtraField {...props} /> : props.children}
  </div>
);

/** A field that the schema has no name for: the person gives it one. */
const ExtraField = (props: FieldTemplateProps) => {
  const { children, label, disabled, readonly, onKeyRenameBlur, onRemoveProperty } = props;
  const rename = (event: FocusEvent<HTMLInputElement>) => {
    // Without a name nobody could tell it from the whole answer.
    if (event.target.value.trim() === "") event.target.value = label;
    else onKeyRenameBlur(event);
  };
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-32">
        <TextField
          key={label}
          label="Name"
          defaultValue={label}
          onBlur={rename}
          disabled={disabled}
          readOnly={readonly}
        />
      </div>
      <div className="min-w-0 flex-2 basis-40">{children}</div>
      <IconButton
        label={`Remove ${label}`}
        icon={<Trash2 aria-hidden size={16} />}
        onClick={({ currentTarget }) => removePart(currentTarget, onRemoveProperty)}
        disabled={disabled || readonly}
      />
    </div>
  );
};
