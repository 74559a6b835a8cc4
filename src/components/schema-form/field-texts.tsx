import type { ReactNode } from "react";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { parsePointer, toPointer } from "@/contract/json-pointer";
import { describeLimits, findExample } from "@/contract/output-field-error";
import type { FieldError } from "@/contract/problem";
import { endSentence, toSentence } from "@/lib/humanize";
import type { FieldProps } from "./field-props";
import { PATTERN_TEXT } from "./form-keywords";

/** The texts of a field. */
export type FieldTexts = {
  label: string;
  labelHidden: boolean;
  hint: ReactNode;
  error: string | undefined;
};

export const getFieldTexts = (props: FieldProps): FieldTexts => {
  const { name, isNameHidden = false, isRequired, isUnmarked = false, schema, errors } = props;
  const hint = getHint(schema);
  const error = formatFirstError(errors);
  return {
    label: formatLabel(name, isRequired || isUnmarked),
    labelHidden: isNameHidden,
    // An error that says what the hint has said replaces it.
    hint: hint === error ? undefined : hint,
    error,
  };
};

/** Most fields of most tools are required, so the optional ones are marked. */
export const formatLabel = (name: string, isRequired: boolean): string => {
  const label = name === "" ? "Answer" : name;
  return isRequired ? label : `${label} (optional)`;
};

/** Returns the first error of the field itself, as a sentence. */
export const formatFirstError = (errors: readonly FieldError[]): string | undefined => {
  const error = errors.find(({ pointer }) => pointer === "");
  return error && toSentence(error.message);
};

/** Returns the errors of a property or an item, with pointers into its value. */
export const pickErrors = (errors: readonly FieldError[], key: PropertyKey): FieldError[] =>
  errors.flatMap(({ pointer, message }) => {
    const [first, ...rest] = parsePointer(pointer);
    return first === String(key) ? [{ pointer: toPointer(rest), message }] : [];
  });

/**
 * The description of a field and the limits of its value, which are a hint before they are an error. A regular
 * expression is shown only where the schema has neither an example nor a description.
 */
export const getHint = (schema: JsonValue | undefined): ReactNode => {
  if (!isJsonObject(schema)) return undefined;
  const description = getDescription(schema);
  const pattern = toText(schema[PATTERN_TEXT]);
  const hasExample = pattern !== undefined && findExample(schema) !== undefined;
  const limits = describeLimits(hasExample ? { ...schema, pattern } : schema);
  const hint = limits === undefined ? description : joinHint(description, limits);
  if (pattern === undefined || hasExample || description !== undefined) return hint;
  const format = (
    <>
      Format:{" "}
      <code translate="no" className="font-mono break-all text-text">
        {pattern}
      </code>
    </>
  );
  return hint === undefined ? format : joinHint(hint, format);
};

export const getDescription = ({ description, deprecated }: JsonObject): string | undefined => {
  const text = toText(description);
  if (deprecated !== true) return text;
  return text === undefined ? OUTDATED : `${endSentence(text.trim())} ${OUTDATED}`;
};

const OUTDATED = "No longer used.";

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

export const toText = (value: JsonValue | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
