import {
  ADDITIONAL_PROPERTY_FLAG,
  type FieldProps,
  type RJSFSchema,
  type WidgetProps,
} from "@rjsf/utils";
import { endSentence, toSentence } from "@/lib/humanize";

/** The texts of a field, from the props of the form library. */
export type FieldTexts = {
  label: string;
  labelHidden: boolean;
  hint: string | undefined;
  error: string | undefined;
  required: boolean;
};

type RequiredProps = Pick<WidgetProps, "registry" | "schema"> & { required?: boolean | undefined };

/** The form library does not mark the root value and added fields as required. */
export const isRequired = (id: string, { registry, schema, required }: RequiredProps): boolean =>
  required === true ||
  id === registry.globalFormOptions.idPrefix ||
  ADDITIONAL_PROPERTY_FLAG in schema;

export const getWidgetTexts = (props: WidgetProps): FieldTexts => {
  const { id, label, options, schema, rawErrors } = props;
  const required = isRequired(id, props);
  const description = toText(options.description) ?? toText(schema.description);
  return {
    label: formatLabel(formatItemLabel(id, label), required),
    labelHidden: options.labelHidden === true || isUnnamedItem(id, label),
    hint: description,
    error: formatFirstError(rawErrors),
    required,
  };
};

export const getFieldTexts = (props: FieldProps): FieldTexts => {
  const { fieldPathId, name, schema, uiSchema, rawErrors } = props;
  const required = isRequired(fieldPathId.$id, props);
  const title =
    toText(uiSchema?.["ui:title"]) ?? toText(schema.title) ?? toText(props.title) ?? name;
  const isItem = isUnnamedItem(fieldPathId.$id, title);
  return {
    label: formatLabel(formatItemLabel(fieldPathId.$id, title), required),
    labelHidden: uiSchema?.["ui:labelHidden"] === true || isItem,
    hint: toText(schema.description),
    error: formatFirstError(rawErrors),
    required,
  };
};

/** Most fields of most tools are required, so the optional ones are marked. */
export const formatLabel = (name: string, required: boolean): string => {
  const label = name === "" ? "Answer" : name;
  return required ? label : `${label} (optional)`;
};

export const formatFirstError = (errors: string[] | undefined): string | undefined => {
  const [error] = errors ?? [];
  return error === undefined ? undefined : toSentence(error);
};

/** Omits the error of a choice, because the fields of the selected option show it. */
export const formatGroupError = (
  { anyOf, oneOf }: RJSFSchema,
  errors: string[] | undefined,
): string | undefined =>
  anyOf === undefined && oneOf === undefined ? formatFirstError(errors) : undefined;

/** Joins the description from the schema and our own note. */
export const joinHint = (description: string | undefined, note: string): string =>
  description === undefined ? note : `${endSentence(description.trim())} ${note}`;

/** The form library labels list items "Tags-1", "Tags-2"; their order makes that visible already. */
const isUnnamedItem = (id: string, label: string): boolean =>
  /\/\d+$/.test(id) && /-\d+$/.test(label);

export const formatItemLabel = (id: string, label: string): string =>
  isUnnamedItem(id, label) ? label.replace(/-(\d+)$/, " $1") : label;

const toText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
