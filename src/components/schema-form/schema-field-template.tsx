import type { FieldTemplateProps } from "@rjsf/utils";
import { FORM_ITEM } from "@/components/ui/form-item-focus";

/** Controls show their own label, hint and error. The constants of an option have no control. */
export const SchemaFieldTemplate = ({ id, schema, hidden, children }: FieldTemplateProps) =>
  "const" in schema ? null : (
    <div {...FORM_ITEM} data-field={id} hidden={hidden}>
      {children}
    </div>
  );
