import { ADDITIONAL_PROPERTY_FLAG, type FieldTemplateProps } from "@rjsf/utils";
import { Trash2 } from "lucide-react";
import type { FocusEvent } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { TextField } from "@/components/ui/text-field";
import { FORM_ITEM, removeItem } from "./form-item-focus";

/** Controls show their own label, hint and error; this adds an input for the name of added fields. */
export const SchemaFieldTemplate = (props: FieldTemplateProps) => (
  <div {...FORM_ITEM} hidden={props.hidden}>
    {ADDITIONAL_PROPERTY_FLAG in props.schema ? <AdditionalField {...props} /> : props.children}
  </div>
);

/** A field that the schema does not name, so the person enters the name. */
const AdditionalField = (props: FieldTemplateProps) => {
  const { children, label, disabled, readonly, onKeyRenameBlur, onRemoveProperty } = props;
  const rename = (event: FocusEvent<HTMLInputElement>) => {
    // An empty name would make the field look like the whole answer.
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
        onClick={({ currentTarget }) => removeItem(currentTarget, onRemoveProperty)}
        disabled={disabled || readonly}
      />
    </div>
  );
};
