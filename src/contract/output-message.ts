import type { OutputUnit } from "@cfworker/json-schema";
import type { JsonObject, JsonValue } from "./json";
import { fragmentPointer, pointerKeys, schemaAt, toPointer } from "./json-pointer";
import type { FieldError } from "./problem";

/** The words that follow a field's name: "is required", "must be a number". */
export const outputMessage = (schema: JsonObject, unit: OutputUnit): FieldError => {
  const missing = MISSING.exec(unit.error)?.[1];
  const at = fragmentPointer(unit.instanceLocation);
  if (missing !== undefined && NAMES_A_MISSING_KEY.has(unit.keyword)) {
    return { pointer: at + toPointer([missing]), message: "is required" };
  }
  const write = MESSAGE.get(unit.keyword);
  const value = keywordValue(schema, unit.keywordLocation);
  return { pointer: at, message: write?.(value) ?? lowerFirst(unit.error) };
};

const MISSING = /(?:required property|does not have) "(.*)"\.$/s;
const NAMES_A_MISSING_KEY = new Set(["required", "dependentRequired", "dependencies"]);

const TYPE_WORDS = new Map([
  ["string", "a string"],
  ["number", "a number"],
  ["integer", "a whole number"],
  ["boolean", "true or false"],
  ["object", "an object"],
  ["array", "a list"],
  ["null", "null"],
]);
const FORMAT_WORDS = new Map([
  ["date", "a date such as 2026-03-31"],
  ["date-time", "a date and time such as 2026-03-31T09:30:00Z"],
  ["time", "a time such as 09:30:00Z"],
  ["email", "an email address"],
  ["uri", "an address such as https://example.com"],
  ["uuid", "a UUID"],
]);

const typeWords = (type: JsonValue | undefined): string | undefined => {
  const types = (Array.isArray(type) ? type : [type]).map((one) => TYPE_WORDS.get(plain(one)));
  return types.includes(undefined) ? undefined : types.join(" or ");
};
const must = (words: string | undefined): string | undefined => words && `must be ${words}`;
const counted = (count: JsonValue | undefined, noun: string): string =>
  `${plain(count)} ${noun}${count === 1 ? "" : "s"}`;
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

type Write = (value: JsonValue | undefined) => string | undefined;
const MESSAGE = new Map<string, Write>(
  Object.entries<Write>({
    type: (value) => must(typeWords(value)),
    enum: (value) =>
      Array.isArray(value) ? `must be one of ${value.map(json).join(", ")}` : undefined,
    const: (value) => must(value === undefined ? undefined : json(value)),
    false: () => "is not allowed",
    anyOf: () => "must fit one of the allowed forms",
    oneOf: () => "must fit exactly one of the allowed forms",
    not: () => "has a value that is not allowed",
    format: (value) => must(FORMAT_WORDS.get(plain(value)) ?? `in the format ${plain(value)}`),
    pattern: (value) => `must match the pattern “${plain(value)}”`,
    minLength: (value) => `must have at least ${counted(value, "character")}`,
    maxLength: (value) => `must have at most ${counted(value, "character")}`,
    minItems: (value) => `must have at least ${counted(value, "item")}`,
    maxItems: (value) => `must have at most ${counted(value, "item")}`,
    uniqueItems: () => "must not have the same item twice",
    minProperties: (value) => `must have at least ${counted(value, "field")}`,
    maxProperties: (value) => `must have at most ${counted(value, "field")}`,
    minimum: (value) => `must be ${plain(value)} or more`,
    maximum: (value) => `must be ${plain(value)} or less`,
    exclusiveMinimum: (value) => `must be more than ${plain(value)}`,
    exclusiveMaximum: (value) => `must be less than ${plain(value)}`,
    multipleOf: (value) => `must be a multiple of ${plain(value)}`,
  }),
);

const json = (value: JsonValue): string => JSON.stringify(value);
const plain = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : json(value ?? null);

/** Follows a keyword's place through the schema, over references. */
const keywordValue = (schema: JsonObject, location: string): JsonValue | undefined => {
  const keys = pointerKeys(fragmentPointer(location));
  return keys.reduce<JsonValue | undefined>((at, key) => {
    if (typeof at !== "object" || at === null) return undefined;
    const next = Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined;
    return key === "$ref" && typeof next === "string" ? schemaAt(schema, next) : next;
  }, schema);
};
