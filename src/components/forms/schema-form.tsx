// The main entry of the package also loads a validator that generates code at run time.
import Form from "@rjsf/core/lib/components/Form.js";
import type {
  Experimental_DefaultFormStateBehavior,
  RegistryFieldsType,
  RegistryWidgetsType,
} from "@rjsf/utils";
import { useMemo } from "react";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { toErrorTree } from "./error-tree";
import { SchemaChoiceField } from "./schema-choice-field";
import { SchemaBooleanWidget, SchemaSelectWidget } from "./schema-choice-widgets";
import { SchemaNullField } from "./schema-constant-field";
import { SchemaCycleTemplate } from "./schema-cycle-template";
import { SchemaFieldTemplate } from "./schema-field-template";
import { SchemaJsonField } from "./schema-json-field";
import { SchemaListItemTemplate, SchemaListTemplate } from "./schema-list-template";
import { SchemaNumberField } from "./schema-number-field";
import { SchemaObjectField, SchemaObjectTemplate } from "./schema-object-template";
import {
  SchemaDateTimeWidget,
  SchemaDateWidget,
  SchemaTextWidget,
  SchemaTimeWidget,
} from "./schema-text-widget";
import { schemaValidator } from "./schema-validator";

type SchemaFormProps = {
  /** Prefix of the ids of the fields, unique on the page. */
  id: string;
  /** The result of `toFormSchema`. */
  schema: JsonObject;
  value: JsonValue | undefined;
  onChange: (value: JsonValue | undefined) => void;
  /** Pointers are into the value. */
  errors: readonly FieldError[];
  disabled: boolean;
};

/** The fields of a JSON Schema. It renders no `form` element, so that one form can contain several. */
export const SchemaForm = ({ id, schema, value, onChange, errors, disabled }: SchemaFormProps) => {
  const extraErrors = useMemo(() => toErrorTree(errors), [errors]);
  return (
    <Form
      tagName="div"
      className="break-words"
      idPrefix={id}
      idSeparator="/"
      schema={schema}
      validator={schemaValidator}
      formData={value}
      onChange={({ formData }) => onChange(formData as JsonValue | undefined)}
      extraErrors={extraErrors}
      disabled={disabled}
      noValidate
      showErrorList={false}
      fields={FIELDS}
      widgets={WIDGETS}
      templates={TEMPLATES}
      experimental_defaultFormStateBehavior={NO_DEFAULTS}
    >
      {/* Replaces the submit button of the form library. */}
      <></>
    </Form>
  );
};

/** `completeOutput` alone decides on defaults, so that the fields show what is submitted. */
const NO_DEFAULTS: Experimental_DefaultFormStateBehavior = {
  emptyObjectFields: "skipDefaults",
  arrayMinItems: { populate: "never" },
  allOf: "skipDefaults",
  constAsDefaults: "never",
};

const FIELDS: RegistryFieldsType = {
  AnyOfField: SchemaChoiceField,
  OneOfField: SchemaChoiceField,
  FallbackField: SchemaJsonField,
  NullField: SchemaNullField,
  NumberField: SchemaNumberField,
  ObjectField: SchemaObjectField,
};

const TEMPLATES = {
  CyclicSchemaExpandTemplate: SchemaCycleTemplate,
  FieldTemplate: SchemaFieldTemplate,
  ObjectFieldTemplate: SchemaObjectTemplate,
  ArrayFieldTemplate: SchemaListTemplate,
  ArrayFieldItemTemplate: SchemaListItemTemplate,
};

const WIDGETS: RegistryWidgetsType = {
  TextWidget: SchemaTextWidget,
  TextareaWidget: SchemaTextWidget,
  EmailWidget: SchemaTextWidget,
  URLWidget: SchemaTextWidget,
  PasswordWidget: SchemaTextWidget,
  UpDownWidget: SchemaTextWidget,
  ColorWidget: SchemaTextWidget,
  FileWidget: SchemaTextWidget,
  SelectWidget: SchemaSelectWidget,
  RadioWidget: SchemaSelectWidget,
  CheckboxesWidget: SchemaSelectWidget,
  CheckboxWidget: SchemaBooleanWidget,
  DateWidget: SchemaDateWidget,
  DateTimeWidget: SchemaDateTimeWidget,
  TimeWidget: SchemaTimeWidget,
};
