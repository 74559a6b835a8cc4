import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { resolveRef } from "@/contract/json-pointer";
import { isSameJson } from "@/lib/is-same-json";
import { SUBSCHEMA_KEYWORDS, VALUE_RULES } from "@/contract/usable-schema";

/** Where a subschema stands. */
export type Place = {
  root: JsonObject;
  /** The schemas that contain this one, directly or by reference. */
  ancestors: readonly JsonObject[];
  /** How often a schema may stand in itself. */
  maxRepeats: number;
  /** Shared by all of the form: each reference and each part of `allOf` takes one. */
  budget: { parts: number };
};

export type ResolvedNode = {
  /** A schema without references to others and without parts. */
  node: JsonObject;
  ancestors: readonly JsonObject[];
  /** Conditions of its parts: schemas with `if`. */
  conditions: readonly JsonObject[];
  /** Why no form can show it. */
  reason?: string;
};

/** Keywords that say something about the value; all others are texts, definitions and extensions. */
export const isConstraint = (keyword: string): boolean =>
  !DEFINITIONS.has(keyword) &&
  (VALUE_RULES.has(keyword) || SUBSCHEMA_KEYWORDS.has(keyword) || OTHER_CONSTRAINTS.has(keyword));

const DEFINITIONS = new Set(["$defs", "definitions"]);
const OTHER_CONSTRAINTS = new Set(["$ref", "$dynamicRef", "const", "uniqueItems", "dependencies"]);

const REPEATED = "It contains itself too many times for a form.";
const TOO_LARGE = "It has too many parts for a form.";
const CONTRADICTING = "Its parts describe the same value in several ways.";

/** Replaces references by their targets, and joins the parts of `allOf`. */
export const resolveNode = (schema: JsonValue, place: Place): ResolvedNode => {
  const node = isJsonObject(schema) ? schema : {};
  const { $ref, allOf, if: condition, then, else: otherwise, ...own } = node;
  const ancestors = [...place.ancestors, node];
  const isConditional = condition !== undefined;
  const start: ResolvedNode = {
    node: own,
    ancestors,
    conditions: isConditional ? [pickDefined({ if: condition, then, else: otherwise })] : [],
    ...(!isJsonObject(schema) && schema !== true && { reason: "No value is allowed." }),
  };
  const target = typeof $ref === "string" ? resolveRef(place.root, $ref) : undefined;
  const parts = [...(target === undefined ? [] : [target]), ...(Array.isArray(allOf) ? allOf : [])];
  return parts.reduce<ResolvedNode>((whole, part) => joinPart(whole, part, place), start);
};

const pickDefined = (object: { [key: string]: JsonValue | undefined }): JsonObject =>
  Object.fromEntries(
    Object.entries(object).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );

const joinPart = (whole: ResolvedNode, part: JsonValue, place: Place): ResolvedNode => {
  if (--place.budget.parts < 0) return { ...whole, reason: TOO_LARGE };
  const repeats = whole.ancestors.filter((ancestor) => ancestor === part).length;
  if (repeats >= place.maxRepeats) {
    const texts = isJsonObject(part) ? { ...part, ...whole.node } : whole.node;
    return { ...whole, node: texts, reason: REPEATED };
  }
  const resolved = resolveNode(part, { ...place, ancestors: whole.ancestors });
  const node = mergeNodes(whole.node, resolved.node);
  const reason =
    whole.reason ?? resolved.reason ?? (node === undefined ? CONTRADICTING : undefined);
  return {
    node: node ?? whole.node,
    ancestors: resolved.ancestors,
    conditions: [...whole.conditions, ...resolved.conditions],
    ...(reason !== undefined && { reason }),
  };
};

/** Joins two schemas for one value; undefined if they say different things of the same. */
const mergeNodes = (one: JsonObject, other: JsonObject): JsonObject | undefined => {
  const merged = { ...other, ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const own = one[keyword];
    if (own === undefined || !isConstraint(keyword) || isSameJson(own, value)) continue;
    const both = mergeKeyword(keyword, own, value);
    if (both === undefined) return undefined;
    merged[keyword] = both;
  }
  return merged;
};

const mergeKeyword = (keyword: string, one: JsonValue, other: JsonValue): JsonValue | undefined => {
  if (keyword === "required" && Array.isArray(one) && Array.isArray(other)) {
    return [...new Set([...one, ...other])];
  }
  if (keyword === "additionalProperties") return one === false ? other : one;
  if (keyword !== "properties" || !isJsonObject(one) || !isJsonObject(other)) return undefined;
  const isFree = ([name, property]: [string, JsonValue]) =>
    !Object.hasOwn(one, name) || isSameJson(one[name], property);
  return Object.entries(other).every(isFree) ? { ...one, ...other } : undefined;
};
