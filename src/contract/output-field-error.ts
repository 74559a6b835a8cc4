import type { OutputUnit } from "@cfworker/json-schema";
import { isJsonObject } from "./is-json-object";
import type { JsonObject, JsonValue } from "./json";
import { decodeFragment, parsePointer, resolveRef, toPointer } from "./json-pointer";
import type { FieldError } from "./problem";

/** Converts an error of the validator. The message follows the name of a field: "must be a number". */
export const toFieldError = (schema: JsonObject, unit: OutputUnit): FieldError => {
  const missing = MISSING_KEY.exec(unit.error)?.[1];
  const pointer = decodeFragment(unit.instanceLocation);
  if (missing !== undefined && KEYWORDS_WITH_MISSING_KEY.has(unit.keyword)) {
    return { pointer: pointer + toPointer([missing]), message: "is required" };
  }
  const format = MESSAGE_BY_KEYWORD.get(unit.keyword);
  const value = readKeyword(schema, unit.keywordLocation);
  const holder = readKeyword(schema, unit.keywordLocation.slice(0, -`/${unit.keyword}`.length));
  return {
    pointer,
    message: format?.(value, isJsonObject(holder) ? holder : {}) ?? lowerFirst(unit.error),
  };
};

const MISSING_KEY = /(?:required property|does not have) "(.*)"\.$/s;
const KEYWORDS_WITH_MISSING_KEY = new Set(["required", "dependentRequired", "dependencies"]);

const TYPE_LABEL = new Map([
  ["string", "a string"],
  ["number", "a number"],
  ["integer", "a whole number"],
  ["boolean", "true or false"],
  ["object", "an object"],
  ["array", "a list"],
  ["null", "null"],
]);
const FORMAT_LABEL = new Map([
  ["date", "a date such as 2026-03-31"],
  ["date-time", "a date and time such as 2026-03-31T09:30:00Z"],
  ["time", "a time such as 09:30:00Z"],
  ["email", "an email address"],
  ["duration", "a duration such as P3D (3 days) or PT1H30M (1 hour 30 minutes)"],
  ["uri", "an address such as https://example.com"],
  ["url", "an address such as https://example.com"],
  ["uri-reference", "an address such as https://example.com or /path"],
  ["hostname", "the name of a host, such as example.com"],
  ["ipv4", "an IPv4 address such as 192.0.2.1"],
  ["ipv6", "an IPv6 address such as 2001:db8::1"],
  ["regex", "a regular expression"],
  ["json-pointer", "a JSON pointer such as /items/0"],
  ["uuid", "a UUID such as 123e4567-e89b-12d3-a456-426614174000"],
  ["byte", "a file in base64"],
  ["data-url", "a file as a data URL, such as data:text/plain,Hello"],
]);

const describeTypes = (type: JsonValue | undefined): string | undefined => {
  const types = (Array.isArray(type) ? type : [type]).map((one) => TYPE_LABEL.get(toText(one)));
  return types.includes(undefined) ? undefined : types.join(" or ");
};
const mustBe = (label: string | undefined): string | undefined => label && `must be ${label}`;
const formatCount = (count: JsonValue | undefined, noun: string): string =>
  `${toText(count)} ${noun}${count === 1 ? "" : "s"}`;
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** @returns the first example of a text that a schema has. */
export const findExample = ({ examples }: JsonObject): string | undefined => {
  const [first] = Array.isArray(examples) ? examples : [];
  return typeof first === "string" && first !== "" ? first : undefined;
};

/** @param schema the one that has the keyword. */
type MessageFormatter = (value: JsonValue | undefined, schema: JsonObject) => string | undefined;
const MESSAGE_BY_KEYWORD = new Map<string, MessageFormatter>(
  Object.entries<MessageFormatter>({
    type: (value) => mustBe(describeTypes(value)),
    enum: (value) =>
      Array.isArray(value) ? `must be one of ${value.map(toJson).join(", ")}` : undefined,
    const: (value) => mustBe(value === undefined ? undefined : toJson(value)),
    false: () => "is not allowed",
    anyOf: () => "must fit one of the allowed forms",
    oneOf: () => "must fit exactly one of the allowed forms",
    not: () => "has a value that is not allowed",
    format: (value) => mustBe(FORMAT_LABEL.get(toText(value)) ?? `in the format ${toText(value)}`),
    // People read the message, so an example comes before a regular expression.
    pattern: (value, schema) => {
      const example = findExample(schema);
      return example === undefined
        ? `must match the pattern “${toText(value)}”`
        : `must be in a form such as “${example}”`;
    },
    minLength: (value) => `must have at least ${formatCount(value, "character")}`,
    maxLength: (value) => `must have at most ${formatCount(value, "character")}`,
    minItems: (value) => `must have at least ${formatCount(value, "item")}`,
    maxItems: (value) => `must have at most ${formatCount(value, "item")}`,
    uniqueItems: () => "must not have the same item twice",
    minProperties: (value) => `must have at least ${formatCount(value, "field")}`,
    maxProperties: (value) => `must have at most ${formatCount(value, "field")}`,
    minimum: (value) => `must be ${toText(value)} or more`,
    maximum: (value) => `must be ${toText(value)} or less`,
    exclusiveMinimum: (value) => `must be more than ${toText(value)}`,
    exclusiveMaximum: (value) => `must be less than ${toText(value)}`,
    multipleOf: (value) => `must be a multiple of ${toText(value)}`,
  }),
);

/** Formats that a person types as text; the others have a control of their own, or explain themselves. */
const TYPED_FORMATS = new Set([
  "duration",
  "hostname",
  "ipv4",
  "ipv6",
  "json-pointer",
  "regex",
  "uuid",
]);

/** Keywords that a person should know before they enter a value. */
const LIMITS = [
  "format",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
];

/** Limits that need no words: a missing text or item is reported as such, and an option cannot be chosen twice. */
const isSilent = (keyword: string, value: JsonValue, { items }: JsonObject): boolean => {
  switch (keyword) {
    case "format":
      return !TYPED_FORMATS.has(toText(value));
    case "minLength":
    case "minItems":
      return value === 1;
    case "uniqueItems":
      return value === false || (typeof items === "object" && items !== null && "enum" in items);
    default:
      return value === false;
  }
};

/** @returns the limits of a value as a sentence: "Must be 0 or more and 10 or less." */
export const describeLimits = (schema: JsonObject): string | undefined => {
  const messages = LIMITS.flatMap((keyword) => {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    if (value === undefined || isSilent(keyword, value, schema)) return [];
    return MESSAGE_BY_KEYWORD.get(keyword)?.(value, schema) ?? [];
  });
  const [first, ...others] = messages;
  if (first === undefined) return undefined;
  const verb = /^must (?:be|have) /.exec(first)?.[0];
  const rest = others.map((message) =>
    verb !== undefined && message.startsWith(verb) ? message.slice(verb.length) : message,
  );
  return `${first.charAt(0).toUpperCase()}${[first.slice(1), ...rest].join(" and ")}.`;
};

const toJson = (value: JsonValue): string => JSON.stringify(value);
const toText = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : toJson(value ?? null);

/** Reads the value of a keyword; its location may lead through references. */
const readKeyword = (schema: JsonObject, location: string): JsonValue | undefined => {
  const keys = parsePointer(decodeFragment(location));
  return keys.reduce<JsonValue | undefined>((at, key) => {
    if (typeof at !== "object" || at === null) return undefined;
    const next = Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined;
    return key === "$ref" && typeof next === "string" ? resolveRef(schema, next) : next;
  }, schema);
};
