import type { FieldProps, WidgetProps } from "@rjsf/utils";
import type { ReactNode } from "react";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { describeLimits, findExample } from "@/contract/output-field-error";
import { endSentence, toSentence } from "@/lib/humanize";
import { PATTERN_TEXT } from "./form-schema";

/** The texts of a field, from the props of the form library. */
export type FieldTexts = {
  label: string;
  labelHidden: boolean;
  hint: ReactNode;
  error: string | undefined;
  required: boolean;
};

type RequiredProps = Pick<WidgetProps, "registry"> & { required?: boolean | undefined };

/** The form library does not mark the root value as required. */
export const isRequired = (id: string, { registry, required }: RequiredProps): boolean =>
  required === true || id === registry.globalFormOptions.idPrefix;

export const getWidgetTexts = (props: WidgetProps): FieldTexts => {
  const { id, label, options, schema, rawErrors } = props;
  const required = isRequired(id, props);
  return {
    label: formatLabel(formatItemLabel(id, label), required),
    labelHidden: options.labelHidden === true || isUnnamedItem(id, label),
    ...withoutRepetition(getHint(schema, options.description), formatFirstError(rawErrors)),
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
    ...withoutRepetition(getHint(schema), formatFirstError(rawErrors)),
    required,
  };
};

/** An error that says what the hint has said replaces it. */
const withoutRepetition = (
  hint: ReactNode,
  error: string | undefined,
): Pick<FieldTexts, "hint" | "error"> => ({ hint: hint === error ? undefined : hint, error });

/** Most fields of most tools are required, so the optional ones are marked. */
export const formatLabel = (name: string, required: boolean): string => {
  const label = name === "" ? "Answer" : name;
  return required ? label : `${label} (optional)`;
};

export const formatFirstError = (errors: string[] | undefined): string | undefined => {
  const [error] = errors ?? [];
  return error === undefined ? undefined : toSentence(error);
};

/**
 * The description of a field and the limits of its value, which are a hint before they are an error. A regular
 * expression is shown only where the schema has neither an example nor a description.
 */
export const getHint = (schema: unknown, override?: unknown): ReactNode => {
  if (!isJsonObject(schema as JsonValue)) return undefined;
  const field = schema as JsonObject;
  const description = toText(override) ?? toText(field.description);
  const pattern = toText(field[PATTERN_TEXT]);
  const hasExample = pattern !== undefined && findExample(field) !== undefined;
  const limits = describeLimits(hasExample ? { ...field, pattern } : field);
  const hint = limits === undefined ? description : joinHint(description, limits);
  if (pattern === undefined || hasExample || description !== undefined) return hint;
  const format = (
    <>
      Format: <code className="font-mono break-all text-text">{pattern}</code>
    </>
  );
  return hint === undefined ? format : joinHint(hint, format);
};

/** Joins the description from the schema and our own note. */
export const joinHint = (description: ReactNode, note: ReactNode): ReactNode => {
  if (description === undefined) return note;
  const start = typeof description === "string" ? endSentence(description.trim()) : description;
  return typeof start === "string" && typeof note === "string" ? (
    `${start} ${note}`
  ) : (
    <>
      {start} {note}
    </>
  );
};

/** The form library labels list items "Tags-1", "Tags-2"; their order makes that visible already. */
const isUnnamedItem = (id: string, label: string): boolean =>
  /\/\d+$/.test(id) && /-\d+$/.test(label);

export const formatItemLabel = (id: string, label: string): string =>
  isUnnamedItem(id, label) ? label.replace(/-(\d+)$/, " $1") : label;

const toText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
