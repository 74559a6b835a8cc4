import { compileSchema } from "@/contract/check-output";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { toPointer } from "@/contract/json-pointer";
import type { FieldError } from "@/contract/problem";
import { memoizeByObject } from "@/lib/memoize-by-object";
import {
  allowsNull,
  findNameError,
  findOption,
  getItem,
  getOwn,
  getProperty,
  getValueField,
  hasType,
  isMap,
  listOptions,
  omitUndefined,
  readEnteredNumber,
  toEntered,
  toRows,
} from "./field-value";
import { findActiveFields, listConditionalNames } from "./form-conditions";
import { ANY_JSON, NULLABLE } from "./form-keywords";
import { parseJson } from "./parse-json";

type Value = JsonValue | undefined;

/**
 * Converts the value of a form to the output that is sent: what was entered or selected, and nothing else.
 * Only objects need no entry: a required one without required fields is sent as `{}`.
 *
 * @returns the errors of all fields; if there are none, an undefined value was not entered.
 */
export const toOutput = (
  form: JsonObject,
  value: Value,
): { value: Value; errors: FieldError[] } => {
  const errors: FieldError[] = [];
  const output = collectOutput({ field: form, value, isRequired: true, path: [], errors });
  const reported = new Set(errors.map(({ pointer }) => pointer));
  const found = output === undefined ? [] : checkOutput(form, output);
  return {
    value: output,
    errors: [...errors, ...found.filter(({ pointer }) => !reported.has(pointer))],
  };
};

/** Checks an output by the schema of its form; the server checks it by the whole `output_schema`. */
export const checkOutput = (form: JsonObject, output: JsonValue): FieldError[] =>
  getCheck(form)(output);

const getCheck = memoizeByObject((form: JsonObject) => compileSchema(form));

type Entry = {
  field: JsonObject;
  value: Value;
  isRequired: boolean;
  path: readonly PropertyKey[];
  /** Collects what the schema cannot express: items that are not filled in, and text that is no JSON. */
  errors: FieldError[];
};

const collectOutput = (entry: Entry): Value => {
  const { field, value } = entry;
  if (field.readOnly === true) return field.default;
  if (value === null) return allowsNull(field) ? null : undefined;
  if (field.anyOf !== undefined) return collectOption(entry);
  if (isMap(field)) return collectRows(entry);
  if (field.type === "object") return collectObject(entry);
  if (field.type === "array" && Array.isArray(value)) return collectItems(entry, value);
  return value === undefined ? undefined : collectValue(entry, value);
};

const collectOption = (entry: Entry): Value => {
  const { field, value } = entry;
  const options = listOptions(field);
  const option = options[field[NULLABLE] === true ? 0 : findOption(options, value)];
  const isRequired = entry.isRequired && value !== undefined;
  return option ? collectOutput({ ...entry, field: option, isRequired }) : value;
};

const collectObject = (entry: Entry): Value => {
  const { value, isRequired } = entry;
  if (isJsonObject(value) || (value === undefined && isRequired)) return collectFields(entry);
  return value;
};

const collectValue = ({ field, path, errors }: Entry, value: JsonValue): JsonValue => {
  const message = findValueError(field, value);
  if (message !== undefined) errors.push({ pointer: toPointer(path), message });
  // JSON has no infinity; `JSON.stringify` would write null.
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
};

const JSON_TYPE_LABEL = new Map<Value, string>([
  ["object", "a JSON object"],
  ["array", "a JSON list"],
]);

/** What only the form knows: text that is no JSON, or no number. */
const findValueError = (field: JsonObject, value: JsonValue): string | undefined => {
  const label = JSON_TYPE_LABEL.get(field[ANY_JSON]);
  if (label !== undefined && !hasType(value, field[ANY_JSON])) return `must be ${label}`;
  if (typeof value !== "string") return undefined;
  if (field.type === "number" || field.type === "integer") return describeNumberError(field, value);
  const isJsonText = field.type === "string" && field.contentMediaType === "application/json";
  const parsed = isJsonText && value !== "" ? parseJson(value) : undefined;
  return parsed && "errors" in parsed ? parsed.errors[0]?.message : undefined;
};

const describeNumberError = (field: JsonObject, text: string): string => {
  const read = readEnteredNumber(field, text);
  return read && "meanings" in read
    ? `can mean ${read.meanings.join(" or ")}: enter the one that you mean`
    : `must be a ${field.type === "integer" ? "whole " : ""}number`;
};

const collectFields = (entry: Entry): JsonObject | undefined => {
  const { field, value, isRequired, path } = entry;
  const { properties, required } = findActiveFields(field, value);
  const hidden = listConditionalNames(field).filter((name) => !Object.hasOwn(properties, name));
  const entered = isJsonObject(value) ? Object.keys(value) : [];
  // An answer that was entered as JSON can have other fields.
  const all = [...new Set([...Object.keys(properties), ...entered])];
  const names = all.filter((name) => !hidden.includes(name));
  const values = names.map((name) =>
    collectOutput({
      ...entry,
      field: getProperty({ properties }, name),
      value: getOwn(value, name),
      isRequired: required.includes(name),
      path: [...path, name],
    }),
  );
  const fields = omitUndefined(names, values);
  // An optional object stays in the value when its fields were cleared.
  return Object.keys(fields).length === 0 && !isRequired ? undefined : fields;
};

const collectRows = (entry: Entry): JsonObject | undefined => {
  const { field, isRequired, path, errors } = entry;
  const rows = toRows(entry.value);
  const names = rows.map(([name]) => name);
  const values = rows.map(([name, value], index) => {
    const place = { path: [...path, name], errors };
    const message = findNameError(names, index);
    if (message !== undefined) errors.push({ pointer: toPointer(place.path), message });
    return collectPart({ ...place, field: getValueField(field), value });
  });
  return rows.length === 0 && !isRequired ? undefined : omitUndefined(names, values);
};

const collectItems = (entry: Entry, items: readonly JsonValue[]): JsonValue[] | undefined => {
  const { field, path, errors } = entry;
  const places = Array.isArray(field.prefixItems) ? field.prefixItems : items;
  if (places !== items && items.every((item) => item === null)) return undefined;
  return places.map((_place, index) => {
    const value = items[index] ?? null;
    return (
      collectPart({ field: getItem(field, index), value, path: [...path, index], errors }) ?? null
    );
  });
};

/** A list, a map and JSON write a part that is not filled in as null. */
const collectPart = (part: Omit<Entry, "isRequired"> & { value: JsonValue }): Value => {
  const value = toEntered(part.field, part.value);
  const output = collectOutput({ ...part, value, isRequired: true });
  const pointer = toPointer(part.path);
  const isReported = part.errors.some((error) => error.pointer === pointer);
  if (output === undefined && !isReported) part.errors.push({ pointer, message: "is required" });
  return output;
};
