// The main entry of the package also loads a validator that generates code at run time.
import Form from "@rjsf/core/lib/components/Form.js";
import type {
  Experimental_DefaultFormStateBehavior,
  RegistryFieldsType,
  RegistryWidgetsType,
  ValidatorType,
} from "@rjsf/utils";
import { useMemo } from "react";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { toErrorTree } from "./error-tree";
import { SchemaBooleanWidget } from "./schema-boolean-widget";
import { SchemaChoiceField } from "./schema-choice-field";
import { SchemaFieldTemplate } from "./schema-field-template";
import { SchemaJsonField } from "./schema-json-field";
import {
  SchemaListField,
  SchemaListItemTemplate,
  SchemaListTemplate,
} from "./schema-list-template";
import { SchemaNumberField } from "./schema-number-field";
import { SchemaObjectField, SchemaObjectTemplate } from "./schema-object-template";
import { SchemaSelectWidget } from "./schema-select-widget";
import {
  SchemaDateTimeWidget,
  SchemaDateWidget,
  SchemaTextWidget,
  SchemaTimeWidget,
} from "./schema-text-widget";

type SchemaFormProps = {
  /** Prefix of the ids of the fields, unique on the page. */
  id: string;
  /** A result of `toFormSchema`. */
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
      validator={NO_VALIDATOR}
      formData={value}
      onChange={({ formData }) => {
        // The form library reports an empty value as a change when it appears.
        if (!isBlank(formData) || !isBlank(value)) onChange(formData as JsonValue | undefined);
      }}
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

const isBlank = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === "object" && value !== null && Object.keys(value).length === 0);

/** The form library only shows fields: the page checks their values, and offers the options. */
const NO_VALIDATOR: ValidatorType = {
  isValid: () => false,
  rawValidation: () => ({}),
  validateFormData: () => ({ errors: [], errorSchema: {} }),
};

/** The draft has the defaults from the start, so that the fields show what is sent. */
const NO_DEFAULTS: Experimental_DefaultFormStateBehavior = {
  emptyObjectFields: "skipDefaults",
  arrayMinItems: { populate: "never" },
  allOf: "skipDefaults",
  constAsDefaults: "never",
};

const FIELDS: RegistryFieldsType = {
  AnyOfField: SchemaChoiceField,
  ArrayField: SchemaListField,
  FallbackField: SchemaJsonField,
  NumberField: SchemaNumberField,
  ObjectField: SchemaObjectField,
};

const TEMPLATES = {
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
