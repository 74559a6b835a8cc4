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
import { groupError, isRequired, itemLabel, labelOf } from "./field-words";
import { focusFirstControl, PART } from "./keep-focus";

/** The library keeps the problems of an object as such from its template. */
export const SchemaObjectField = (props: FieldProps) => (
  <ObjectField
    {...props}
    errorSchema={{ ...props.errorSchema, __errors: props.rawErrors } as ErrorSchema}
  />
);

/** The fields of an object, under its name unless it is the answer as a whole. */
export const SchemaObjectTemplate = (props: ObjectFieldTemplateProps) => {
  const { schema, uiSchema, title, properties, fieldPathId } = props;
  const canAdd = Boolean(canExpand(schema, uiSchema, props.formData as object | undefined));
  const error = groupError(schema, props.errorSchema?.__errors);
  if (properties.length === 0 && !canAdd && error === undefined) return null;
  const isWhole = fieldPathId.path.length === 0;
  const labelHidden = isWhole || uiSchema?.["ui:labelHidden"] === true;
  return (
    <FieldGroup
      label={labelOf(
        itemLabel(fieldPathId.$id, title),
        labelHidden || isRequired(fieldPathId.$id, props),
      )}
      labelHidden={labelHidden}
      hint={schema.description}
      error={error}
      indented={!isWhole}
    >
      <div className="grid grid-cols-1 gap-4">
        {properties.map(({ content }) => content)}
        {canAdd && <AddField {...props} />}
      </div>
    </FieldGroup>
  );
};

const AddField = ({ onAddProperty, disabled, readonly }: ObjectFieldTemplateProps) => (
  <div {...PART}>
    <Button
      size="sm"
      icon={<Plus aria-hidden size={14} />}
      onClick={({ currentTarget }) => {
        flushSync(onAddProperty);
        focusFirstControl(currentTarget.closest("[data-part]")?.previousElementSibling);
      }}
      disabled={disabled === true || readonly === true}
    >
      Add field
    </Button>
  </div>
);
