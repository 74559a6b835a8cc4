import ObjectField from "@rjsf/core/lib/components/fields/ObjectField.js";
import type { ErrorSchema, FieldProps, ObjectFieldTemplateProps } from "@rjsf/utils";
import { FieldGroup } from "./field-group";
import { formatFirstError, formatItemLabel, formatLabel, isRequired } from "./field-texts";

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
      error={formatFirstError(props.errorSchema?.__errors)}
      isIndented={!isRoot}
    >
      <div className="grid grid-cols-1 gap-4">{properties.map(({ content }) => content)}</div>
    </FieldGroup>
  );
};
