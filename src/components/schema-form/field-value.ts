import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { isSameJson } from "@/lib/is-same-json";
import { readNumber } from "@/lib/read-number";
import { ANY_JSON } from "./form-keywords";

type Value = JsonValue | undefined;

/** Creates the value of fields in which nothing was entered: the constants of an option, and defaults. */
export const createInitialValue = (field: JsonObject): Value => {
  if ("const" in field) return field.const;
  if (!isJsonObject(field.properties)) return field.default;
  const names = Object.keys(field.properties);
  const values = names.map((name) => createInitialValue(getProperty(field, name)));
  const value = omitUndefined(names, values);
  return Object.keys(value).length === 0 ? undefined : value;
};

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
  if (Array.isArray(option.enum)) return option.enum.some((one) => isSameJson(one, value));
  if (!hasType(value, option.type ?? option[ANY_JSON])) return false;
  const names = isJsonObject(value) ? Object.keys(value) : [];
  return names.every((name) => {
    const property = getProperty(option, name);
    return !("const" in property) || isSameJson(property.const, getOwn(value, name));
  });
};

const hasAllFields = ({ properties }: JsonObject, value: Value): boolean =>
  isJsonObject(value) && Object.keys(value).every((name) => getOwn(properties, name) !== undefined);

export const hasType = (value: JsonValue, type: Value): boolean => {
  if (type === "any") return true;
  if (typeof value === "number") return type === "number" || type === "integer";
  return type === (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);
};

export const allowsNull = (field: JsonObject): boolean =>
  field.const === null ||
  field[ANY_JSON] === "any" ||
  [field.enum ?? []].flat().includes(null) ||
  [field.anyOf ?? []].flat().some((option) => isJsonObject(option) && allowsNull(option));

/** Reads what was entered in the field of a number. */
export const readEnteredNumber = ({ type, maximum }: JsonObject, text: string) =>
  readNumber(text, {
    isWhole: type === "integer",
    maximum: typeof maximum === "number" ? maximum : undefined,
  });
