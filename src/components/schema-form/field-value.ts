import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { isSameJson } from "@/lib/is-same-json";
import { readNumber } from "@/lib/read-number";
import { ANY_JSON } from "./form-keywords";

type Value = JsonValue | undefined;

/** @returns the options of a choice; none for other fields. */
export const listOptions = ({ anyOf }: JsonObject): JsonObject[] =>
  Array.isArray(anyOf) ? anyOf.filter(isJsonObject) : [];

/** @returns the field of an item of a list, which may have one for each place. */
export const getItem = ({ items, prefixItems }: JsonObject, index: number): JsonObject => {
  const place = Array.isArray(prefixItems) ? prefixItems[index] : items;
  return isJsonObject(place) ? place : {};
};

/** @returns what was entered in a part of a list or map, which is null until it is filled in. */
export const toEntered = (field: JsonObject, value: Value): Value =>
  value === null && !allowsNull(field) ? undefined : value;

/** @returns the names and values of a map; while it is edited, they are a list, as names may be missing. */
export const toRows = (value: Value): [name: string, value: JsonValue][] => {
  if (isJsonObject(value)) return Object.entries(value);
  return (Array.isArray(value) ? value : []).flatMap((row) =>
    Array.isArray(row) && typeof row[0] === "string" ? [[row[0], row[1] ?? null]] : [],
  );
};

/** @returns why the name of a row of a map cannot be sent. */
export const findNameError = (names: readonly string[], index: number): string | undefined => {
  const name = names[index];
  if (name === "") return "needs a name";
  return names.indexOf(name ?? "") < index ? "is there twice" : undefined;
};

/** @returns the field of each value of a map. */
export const getValueField = ({ additionalProperties }: JsonObject): JsonObject =>
  isJsonObject(additionalProperties) ? additionalProperties : {};

export const isMap = ({ type, additionalProperties }: JsonObject): boolean =>
  type === "object" && isJsonObject(additionalProperties);

/** @returns the field of a property; one that the form does not show can have any value. */
export const getProperty = ({ properties }: JsonObject, name: string): JsonObject => {
  const property = getOwn(properties, name);
  return isJsonObject(property) ? property : { [ANY_JSON]: "any" };
};

export const getOwn = (object: Value, name: string): Value =>
  isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;

/** Returns the object with another value of a property, or without it. */
export const setOwn = (object: Value, name: string, value: Value): JsonObject => {
  const next = isJsonObject(object) ? { ...object } : {};
  if (value === undefined) delete next[name];
  else next[name] = value;
  return next;
};

export const omitUndefined = (names: readonly string[], values: readonly Value[]): JsonObject => {
  const entries = names.map((name, index) => [name, values[index]] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
};

/** @returns the index of the option that a value belongs to; -1 if it belongs to none. */
export const findOption = (options: readonly JsonObject[], value: Value): number => {
  const fitting = options.filter((option) => isOfOption(option, value));
  // Objects without constants differ only in their fields.
  const option = fitting.find((one) => hasAllFields(one, value)) ?? fitting[0];
  return option ? options.indexOf(option) : -1;
};

const isOfOption = (option: JsonObject, value: Value): boolean => {
  if (value === undefined) return false;
  if ("const" in option) return isSameJson(option.const, value);
  const inner = listOptions(option);
  if (inner.length > 0) return inner.some((one) => isOfOption(one, value));
  if (Array.isArray(option.enum)) return option.enum.some((one) => isSameJson(one, value));
  if (isMap(option) && Array.isArray(value)) return true;
  if (!hasType(value, option.type ?? option[ANY_JSON])) return false;
  const names = isJsonObject(value) ? Object.keys(value) : [];
  return names.every((name) => {
    const property = getProperty(option, name);
    return !("const" in property) || isSameJson(property.const, getOwn(value, name));
  });
};

const hasAllFields = (option: JsonObject, value: Value): boolean =>
  isMap(option) ||
  (isJsonObject(value) &&
    Object.keys(value).every((name) => getOwn(option.properties, name) !== undefined));

export const hasType = (value: JsonValue, type: Value): boolean => {
  if (type === "any") return true;
  if (typeof value === "number") return type === "number" || type === "integer";
  return type === (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);
};

export const allowsNull = (field: JsonObject): boolean =>
  field.const === null ||
  field[ANY_JSON] === "any" ||
  [field.enum ?? []].flat().includes(null) ||
  listOptions(field).some(allowsNull);

/** Reads what was entered in the field of a number. */
export const readEnteredNumber = ({ type, maximum }: JsonObject, text: string) =>
  readNumber(text, {
    isWhole: type === "integer",
    maximum: typeof maximum === "number" ? maximum : undefined,
  });

/** @returns a value as people read it in a form. */
export const formatValue = (value: JsonValue): string => {
  if (value === "") return "Empty text";
  if (value === null) return "No value";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string") return value;
  const isList = Array.isArray(value) && value.every((item) => typeof item !== "object");
  return isList ? value.map(formatValue).join(", ") : JSON.stringify(value);
};
