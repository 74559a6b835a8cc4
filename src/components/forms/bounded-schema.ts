import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { resolveRef } from "@/contract/json-pointer";
import { SUBSCHEMA_KEYWORDS } from "@/contract/usable-schema";
import { spendWork } from "./work-budget";

/**
 * Limits what a validation by a schema costs, as the page cannot stop one: patterns that may backtrack, and
 * the comparison of all items with each other, are left to the server, and each use of a schema counts
 * against the budget of the operation. Modifies the schema.
 */
export const boundSchema = (schema: JsonObject): void => {
  for (const part of listSubschemas(schema)) {
    const { pattern, format, patternProperties } = part;
    delete part.pattern;
    const bounded = typeof pattern === "string" ? toBoundedPattern(pattern) : undefined;
    if (bounded !== undefined) part.pattern = bounded;
    if (typeof format === "string" && !BOUNDED_FORMATS.has(format)) delete part.format;
    if (patternProperties !== undefined && !hasLinearPatterns(patternProperties)) {
      delete part.patternProperties;
      // They would refuse the properties that the patterns allow.
      delete part.additionalProperties;
      delete part.unevaluatedProperties;
    }
    delete part.uniqueItems;
    countUses(part);
  }
};

/** Lists a schema and all schemas that it contains or refers to. */
const listSubschemas = (schema: JsonObject): Set<JsonObject> => {
  const found = new Set([schema]);
  // A set yields what is added to it meanwhile.
  for (const part of found) {
    const target = typeof part.$ref === "string" ? resolveRef(schema, part.$ref) : undefined;
    for (const child of [...listChildren(part), target]) if (isJsonObject(child)) found.add(child);
  }
  return found;
};

const listChildren = (schema: JsonObject): JsonValue[] =>
  Object.entries(schema).flatMap(([keyword, value]) => {
    const holder = SUBSCHEMA_KEYWORDS.get(keyword);
    if (holder !== "map" && holder !== "patternMap") return holder ? value : [];
    return isJsonObject(value) ? Object.values(value) : [];
  });

/** The validator reads this keyword once whenever it applies a schema. */
const countUses = (schema: JsonObject): void => {
  const get = (): undefined => {
    if (!spendWork()) throw new RangeError("the schema needs more work than a form may take");
  };
  Object.defineProperty(schema, "$recursiveAnchor", { get, enumerable: false });
};

/** Formats that the validator checks in a time that is proportional to the text. */
const BOUNDED_FORMATS: ReadonlySet<string> = new Set(
  "date time date-time duration email hostname ipv4 ipv6 uri uuid".split(" "),
);

/** Texts that a pattern is applied to in the page; longer ones are left to the server. */
const MAX_PATTERN_TEXT_LENGTH = 64;
/** With three of them, 64 characters are matched in some hundred thousand steps at most. */
const MAX_PATTERN_CHOICES = 3;

/** @returns a pattern that takes every long text; undefined if it could still take long. */
const toBoundedPattern = (pattern: string): string | undefined =>
  countChoices(pattern) > MAX_PATTERN_CHOICES
    ? undefined
    : `(?:^[^]{${MAX_PATTERN_TEXT_LENGTH + 1}})|(?:${pattern})`;

export const hasLinearPatterns = (patternProperties: JsonValue): boolean =>
  isJsonObject(patternProperties) &&
  Object.keys(patternProperties).every((pattern) => countChoices(pattern) === 0);

/**
 * Counts the places where a pattern can match in several ways. Between them they can do so in
 * exponentially many ways only if a group repeats.
 */
const countChoices = (pattern: string): number => {
  const syntax = pattern
    .replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, "x")
    .replaceAll(/\(\?(?:<?[=!]|:|<\w+>)/gu, "(");
  if (/\)(?:[*+]|\{)/u.test(syntax)) return Number.POSITIVE_INFINITY;
  return syntax.match(/[*+?|]|\{\d+,/gu)?.length ?? 0;
};
