import type { ReactNode } from "react";
import * as z from "zod";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { resolveRef } from "@/contract/json-pointer";
import { CONTROL, ENUM_HINTS, ENUM_TITLES, type FieldControl } from "./form-keywords";
import { getOwn } from "./field-value";
import { memoizeByObject } from "@/lib/memoize-by-object";
import type { TextFormat } from "./text-formats";

/** What a control that is drawn by the page gets. */
export type CustomControl = {
  value: JsonValue | undefined;
  onChange: (value: JsonValue | undefined) => void;
  error: string | undefined;
};

/** A field of a form. Its type, its default and whether it may be empty come from the contract's schema. */
export type SettingField = {
  /** The keys that lead to its value, joined by slashes. */
  path: string;
  label: string;
  hint?: string;
  /** By default, as its type needs: a checkbox, a dropdown, or a line of text. */
  control?: FieldControl | "secret";
  /** The names of the values to select from. */
  names?: Readonly<Record<string, string>>;
  /** What each of them means. */
  meanings?: Readonly<Record<string, string>>;
  /** Its value is entered as text, or selected by one. */
  text?: TextFormat;
  /** What is said of a value that the schema refuses, in place of the schema's message. */
  error?: string;
  /** What is said when it is empty, which the schema allows. */
  missing?: string;
  autoFocus?: boolean;
  /** Draws a control of the page. */
  render?: (control: CustomControl) => ReactNode;
};

/** What a form consists of, in its order. */
export type FormPart =
  | SettingField
  /** A text between the fields. */
  | { note: string }
  /** Short fields side by side. */
  | { row: readonly SettingField[] }
  /** Fields that few people need. They are shown when one of them has an error, or when it becomes open. */
  | { section: string; note?: string; isOpen?: boolean; fields: readonly FormPart[] };

export const listFields = (parts: readonly FormPart[]): SettingField[] =>
  parts.flatMap((part) => {
    if ("row" in part) return part.row;
    if ("section" in part) return listFields(part.fields);
    return "path" in part ? part : [];
  });

/** A part of the contract's schema. */
export type Part = { schema: JsonObject; isNullable: boolean; isRequired: boolean };

/** Finds what the contract says of the value at a path; in a choice, what its first option with the key says. */
export const findPart = (contract: z.ZodType, path: string): Part => {
  const root = toJsonSchema(contract);
  let options = listOptions(root, root);
  let isRequired = true;
  for (const key of path.split("/")) {
    const holder = options.find(({ properties }) => getOwn(properties, key) !== undefined) ?? {};
    options = listOptions(root, getOwn(holder.properties, key));
    isRequired = Array.isArray(holder.required) && holder.required.includes(key);
  }
  return {
    schema: options.find(({ type }) => type !== "null") ?? {},
    isNullable: options.some(({ type }) => type === "null"),
    isRequired,
  };
};

const toJsonSchema = memoizeByObject(
  (contract: z.ZodType) =>
    z.toJSONSchema(contract, { io: "input", unrepresentable: "any" }) as JsonObject,
);

const listOptions = (root: JsonObject, node: JsonValue | undefined): JsonObject[] => {
  if (!isJsonObject(node)) return [];
  const { $ref, anyOf, oneOf, ...rest } = node;
  const referred = typeof $ref === "string" ? [resolveRef(root, $ref)] : undefined;
  const options = referred ?? anyOf ?? oneOf;
  if (Array.isArray(options)) {
    return options.flatMap((one) => listOptions(root, one)).map((one) => ({ ...one, ...rest }));
  }
  return [rest.type].flat().map((type) => (type === undefined ? rest : { ...rest, type }));
};

/** Returns the schema by which the form draws a field. */
export const toControlSchema = ({ schema }: Part, field: SettingField): JsonObject => {
  const { hint, names, meanings, text } = field;
  const type = names ? "select" : schema.type === "boolean" ? "checkbox" : "line";
  const control = field.control ?? type;
  const look = control === "secret" ? { format: "password" } : { [CONTROL]: control };
  return {
    ...(names
      ? { enum: Object.keys(names), [ENUM_TITLES]: Object.values(names) }
      : { type: text ? "string" : (schema.type ?? "string") }),
    ...(meanings && { [ENUM_HINTS]: Object.values(meanings) }),
    ...(hint !== undefined && { description: hint }),
    ...look,
  };
};

/** Returns what is sent for the value of a field, by the contract's schema; undefined for what is left out. */
export const toSentValue = (
  part: Part,
  field: SettingField,
  value: JsonValue | undefined,
): JsonValue | undefined => {
  const trimmed = typeof value === "string" ? value.trim() : value;
  if (trimmed === undefined || trimmed === "") return toEmptyValue(part, field);
  return field.control === "lines" || field.control === "code-lines" ? value : trimmed;
};

const toEmptyValue = ({ schema, isNullable, isRequired }: Part, { control }: SettingField) => {
  // An empty secret keeps the stored one.
  if (control === "secret") return undefined;
  if (isNullable) return null;
  const canBeEmpty = isRequired || schema.default === "";
  return canBeEmpty && schema.type === "string" ? "" : undefined;
};
