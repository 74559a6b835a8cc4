import {
  ADDITIONAL_PROPERTY_FLAG,
  type FieldProps,
  type RJSFSchema,
  type WidgetProps,
} from "@rjsf/utils";
import { asSentence, ended } from "@/lib/as-sentence";

/** What the form library tells a field about itself, in our words. */
export type FieldWords = {
  label: string;
  labelHidden: boolean;
  hint: string | undefined;
  error: string | undefined;
  required: boolean;
};

type Place = Pick<WidgetProps, "registry" | "schema"> & { required?: boolean | undefined };

/** The library does not say so of the value as a whole, nor of a field that the person added. */
export const isRequired = (id: string, { registry, schema, required }: Place): boolean =>
  required === true ||
  id === registry.globalFormOptions.idPrefix ||
  ADDITIONAL_PROPERTY_FLAG in schema;

export const widgetWords = (props: WidgetProps): FieldWords => {
  const { id, label, options, schema, rawErrors } = props;
  const required = isRequired(id, props);
  const description = textOf(options.description) ?? textOf(schema.description);
  return {
    label: labelOf(itemLabel(id, label), required),
    labelHidden: options.labelHidden === true || isUnnamedItem(id, label),
    hint: description,
    error: firstError(rawErrors),
    required,
  };
};

export const fieldWords = (props: FieldProps): FieldWords => {
  const { fieldPathId, name, schema, uiSchema, rawErrors } = props;
  const required = isRequired(fieldPathId.$id, props);
  const title =
    textOf(uiSchema?.["ui:title"]) ?? textOf(schema.title) ?? textOf(props.title) ?? name;
  const isItem = isUnnamedItem(fieldPathId.$id, title);
  return {
    label: labelOf(itemLabel(fieldPathId.$id, title), required),
    labelHidden: uiSchema?.["ui:labelHidden"] === true || isItem,
    hint: textOf(schema.description),
    error: firstError(rawErrors),
    required,
  };
};

/** Most fields of most tools are required, so it is the others that say so. */
export const labelOf = (name: string, required: boolean): string => {
  const label = name === "" ? "Answer" : name;
  return required ? label : `${label} (optional)`;
};

export const firstError = (errors: string[] | undefined): string | undefined => {
  const [error] = errors ?? [];
  return error === undefined ? undefined : asSentence(error);
};

/** Of a value that may have several forms, the fields of the chosen one say what is wrong. */
export const groupError = (
  { anyOf, oneOf }: RJSFSchema,
  errors: string[] | undefined,
): string | undefined =>
  anyOf === undefined && oneOf === undefined ? firstError(errors) : undefined;

/** What the schema's author says of a field, and what we say of it. */
export const hintWith = (description: string | undefined, note: string): string =>
  description === undefined ? note : `${ended(description.trim())} ${note}`;

/** The library calls the items of a list "Tags-1", "Tags-2"; in sight they stand in their order. */
const isUnnamedItem = (id: string, label: string): boolean =>
  /\/\d+$/.test(id) && /-\d+$/.test(label);

export const itemLabel = (id: string, label: string): string =>
  isUnnamedItem(id, label) ? label.replace(/-(\d+)$/, " $1") : label;

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
