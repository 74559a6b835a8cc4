import ObjectField from "@rjsf/core/lib/components/fields/ObjectField.js";
import {
  canExpand,
  type ErrorSchema,
  type FieldProps,
  type ObjectFieldTemplateProps,
} from "@rjsf/utils";
import { Plus } from "lucide-react";
import { flushSync } from "react-dom";
import { Button } from "@/components/ui/button";
import { FieldGroup } from "./field-group";
import { formatGroupError, isRequired, formatItemLabel, formatLabel } from "./field-texts";
import { focusFirstControl, FORM_ITEM } from "./form-item-focus";

/** Passes the errors of the object itself to its template, which the form library does not do. */
export const SchemaObjectField = (props: FieldProps) => (
  <ObjectField
    {...props}
    errorSchema={{ ...props.errorSchema, __errors: props.rawErrors } as ErrorSchema}
  />
);

/** The fields of an object. The label of the root object is visually hidden. */
export const SchemaObjectTemplate = (props: ObjectFieldTemplateProps) => {
  const { schema, uiSchema, title, properties, fieldPathId } = props;
  const canAdd = Boolean(canExpand(schema, uiSchema, props.formData as object | undefined));
  const error = formatGroupError(schema, props.errorSchema?.__errors);
  if (properties.length === 0 && !canAdd && error === undefined) return null;
  const isRoot = fieldPathId.path.length === 0;
  const labelHidden = isRoot || uiSchema?.["ui:labelHidden"] === true;
  return (
    <FieldGroup
      label={formatLabel(
        formatItemLabel(fieldPathId.$id, title),
        labelHidden || isRequired(fieldPathId.$id, props),
      )}
      labelHidden={labelHidden}
      hint={schema.description}
      error={error}
      isIndented={!isRoot}
    >
      <div className="grid grid-cols-1 gap-4">
        {properties.map(({ content }) => content)}
        {canAdd && <AddField {...props} />}
      </div>
    </FieldGroup>
  );
};

const AddField = ({ onAddProperty, disabled, readonly }: ObjectFieldTemplateProps) => (
  <div {...FORM_ITEM}>
    <Button
      size="sm"
      icon={<Plus aria-hidden size={14} />}
      onClick={({ currentTarget }) => {
        flushSync(onAddProperty);
        focusFirstControl(currentTarget.closest("[data-form-item]")?.previousElementSibling);
      }}
      disabled={disabled === true || readonly === true}
    >
      Add field
    </Button>
  </div>
);
