import { compileSchema } from "@/contract/check-output";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { toPointer } from "@/contract/json-pointer";
import type { FieldError } from "@/contract/problem";
import { memoizeByObject } from "@/lib/memoize-by-object";
import {
  allowsNull,
  findOption,
  getOwn,
  getProperty,
  hasType,
  omitUndefined,
  readEnteredNumber,
} from "./field-value";
import { ANY_JSON } from "./form-keywords";

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
  const { field, value, isRequired } = entry;
  if (value === null) return allowsNull(field) ? null : undefined;
  if (Array.isArray(field.anyOf)) {
    const options = field.anyOf.filter(isJsonObject);
    const option = options[findOption(options, value)];
    return option ? collectOutput({ ...entry, field: option }) : value;
  }
  const isObject = isJsonObject(value) || (value === undefined && isRequired);
  if (field.type === "object" && isObject) return collectFields(entry);
  if (field.type === "array" && Array.isArray(value)) return collectItems(entry, value);
  return value === undefined ? undefined : collectValue(entry, value);
};

const JSON_TYPE_LABEL = new Map<Value, string>([
  ["object", "a JSON object"],
  ["array", "a JSON list"],
]);

const collectValue = ({ field, path, errors }: Entry, value: JsonValue): JsonValue => {
  const label = JSON_TYPE_LABEL.get(field[ANY_JSON]);
  if (label !== undefined && !hasType(value, field[ANY_JSON])) {
    errors.push({ pointer: toPointer(path), message: `must be ${label}` });
  }
  const meanings = findMeanings(field, value);
  if (meanings) {
    const message = `can mean ${meanings.join(" or ")}: enter the one that you mean`;
    errors.push({ pointer: toPointer(path), message });
  }
  // JSON has no infinity; `JSON.stringify` would write null.
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
};

const findMeanings = (field: JsonObject, value: JsonValue): readonly string[] | undefined => {
  if ((field.type !== "number" && field.type !== "integer") || typeof value !== "string")
    return undefined;
  const read = readEnteredNumber(field, value);
  return read && "meanings" in read ? read.meanings : undefined;
};

const collectFields = (entry: Entry): JsonObject | undefined => {
  const { field, value, isRequired, path } = entry;
  const required = Array.isArray(field.required) ? field.required : [];
  const entered = isJsonObject(value) ? Object.keys(value) : [];
  const shown = isJsonObject(field.properties) ? Object.keys(field.properties) : [];
  // An answer that was entered as JSON can have other fields.
  const names = [...new Set([...shown, ...entered])];
  const values = names.map((name) =>
    collectOutput({
      ...entry,
      field: getProperty(field, name),
      value: getOwn(value, name),
      isRequired: required.includes(name),
      path: [...path, name],
    }),
  );
  const fields = omitUndefined(names, values);
  // An optional object stays in the value when its fields were cleared.
  return Object.keys(fields).length === 0 && !isRequired ? undefined : fields;
};

const collectItems = (entry: Entry, items: readonly JsonValue[]): JsonValue[] =>
  items.map((value, index) => {
    const path = [...entry.path, index];
    const field = isJsonObject(entry.field.items) ? entry.field.items : {};
    // A list and JSON write an item that is not filled in as null.
    const item = collectOutput({
      ...entry,
      field,
      value: value ?? undefined,
      isRequired: true,
      path,
    });
    if (item === undefined) entry.errors.push({ pointer: toPointer(path), message: "is required" });
    return item ?? null;
  });
