import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import {
  findOption,
  getItem,
  getOwn,
  getProperty,
  getValueField,
  isMap,
  listOptions,
  omitUndefined,
} from "./field-value";
import { findActiveFields, listBranches } from "./form-conditions";
import { ANY_JSON } from "./form-keywords";

type Value = JsonValue | undefined;

/** Creates the value of fields in which nothing was entered: the constants of an option, and defaults. */
export const createInitialValue = (field: JsonObject): Value => {
  if ("const" in field) return field.const;
  if (field.default !== undefined) return completeValue(field, field.default);
  if (!isJsonObject(field.properties)) return undefined;
  const value = completeFields(field, {});
  return Object.keys(value).length === 0 ? undefined : value;
};

/** Adds the defaults of the fields that a default leaves out. */
const completeValue = (field: JsonObject, value: JsonValue): JsonValue => {
  const option = chooseOption(field, value);
  if (option) return completeValue(option, value);
  if (Array.isArray(value)) {
    return value.map((item, index) => completeValue(getItem(field, index), item));
  }
  return isJsonObject(value) && isJsonObject(field.properties)
    ? completeFields(field, value)
    : value;
};

const completeFields = (field: JsonObject, value: JsonObject): JsonObject => {
  const withOwn = addDefaults(value, isJsonObject(field.properties) ? field.properties : {});
  // The defaults decide which other fields there are.
  return addDefaults(withOwn, findActiveFields(field, withOwn).properties);
};

const addDefaults = (value: JsonObject, properties: JsonObject): JsonObject => {
  const names = [...new Set([...Object.keys(properties), ...Object.keys(value)])];
  const values = names.map((name) => {
    const property = getProperty({ properties }, name);
    const own = getOwn(value, name);
    return own === undefined ? createInitialValue(property) : completeValue(property, own);
  });
  return omitUndefined(names, values);
};

/** @returns how many controls show a value; infinitely many if a part of it has none. */
export const countControls = (field: JsonObject, value: JsonValue): number => {
  const option = chooseOption(field, value);
  if (option) return 1 + countControls(option, value);
  if (ANY_JSON in field || typeof value !== "object" || value === null) return 1;
  const parts = Array.isArray(value)
    ? value.map((item, index) => countControls(getItem(field, index), item))
    : Object.entries(value).map(([name, part]) => countPart(field, name, part));
  return parts.reduce((sum, count) => sum + count, 1);
};

const countPart = (field: JsonObject, name: string, value: JsonValue): number => {
  const part =
    getOwn(field.properties, name) ?? getOwn(findActiveFields(field, {}).properties, name);
  const shown = part ?? field.additionalProperties;
  return isJsonObject(shown) ? countControls(shown, value) : Number.POSITIVE_INFINITY;
};

const chooseOption = (field: JsonObject, value: JsonValue): JsonObject | undefined =>
  listOptions(field)[findOption(listOptions(field), value)];

/** @returns the field of a property, of an item or of a value in a field, whatever the value is. */
export const findInnerField = (field: JsonObject, key: string): JsonObject | undefined => {
  const branches = listBranches(field);
  const all = [field, ...branches, ...listOptions(field)];
  const own = all.map(({ properties }) => getOwn(properties, key)).find(isJsonObject);
  if (own) return own;
  if (isMap(field)) return getValueField(field);
  if (Array.isArray(field.prefixItems) || field.items !== undefined)
    return getItem(field, Number(key));
  const inner = listOptions(field).map((option) => findInnerField(option, key));
  return inner.find((one) => one !== undefined);
};
