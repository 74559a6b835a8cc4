import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { decodeFragment, resolveRef, toPointer } from "@/contract/json-pointer";
import {
  isPattern,
  SUBSCHEMA_KEYWORDS,
  type SubschemaHolder,
  TYPES,
  VALUE_RULES,
} from "@/contract/usable-schema";

/** The parameters of a dynamic tool as models get them, which is only `properties` and `required`. */
export type ToolParameters = { type: "object"; properties: JsonObject; required?: string[] };

/** A part of an `input_schema` that models do not get: its JSON pointer, and why as a predicate. */
export type DroppedPart = { pointer: string; reason: string };

/** What inlined references may add, in characters of JSON, shared by the tools of a chat. */
export type InliningBudget = { chars: number };

/**
 * What references may add to all tools of a chat: half of the largest request body. Without a limit, a few
 * references that double at each step would fill the memory.
 */
const MAX_INLINED_CHARS = 512 * 1024;
/** What references may add to one tool: twice its largest schema. */
const MAX_INLINED_CHARS_PER_TOOL = 128 * 1024;
/** Characters that each schema and keyword counts besides its text, as handling it takes time. */
const CHARS_PER_NODE = 16;
/** Below this nesting, references end: far more than models understand, far less than the stack allows. */
const MAX_INLINED_DEPTH = 64;

export const createInliningBudget = (): InliningBudget => ({ chars: MAX_INLINED_CHARS });

/**
 * Converts a client's `input_schema` to parameters: references are inlined, as only `properties` reaches the
 * model, and what cannot be used is dropped, as providers refuse a whole request with an invalid schema.
 */
export const toToolParameters = (
  schema: JsonValue,
  budget: InliningBudget,
): { parameters: ToolParameters; dropped: DroppedPart[] } => {
  const dropped = new Map<string, string>();
  const chars = Math.min(budget.chars, MAX_INLINED_CHARS_PER_TOOL);
  const walk: Walk = {
    root: isJsonObject(schema) ? schema : {},
    budget: { chars },
    drop: (pointer, reason) => void dropped.set(pointer, reason),
  };
  const parameters = isJsonObject(schema)
    ? normalizeRoot(resolveRoot({ schema, pointer: "" }, walk), walk)
    : walk.drop("", "is no object schema");
  budget.chars -= chars - walk.budget.chars;
  return {
    parameters: parameters ?? { type: "object", properties: {} },
    dropped: [...dropped].map(([pointer, reason]) => ({ pointer, reason })),
  };
};

type Walk = {
  root: JsonObject;
  budget: InliningBudget;
  drop: (pointer: string, reason: string) => undefined;
};

/** A schema at its pointer in the root. */
type Located = { schema: JsonObject; pointer: string };

/** Where a schema ends up. */
type Place = {
  pointer: string;
  depth: number;
  /** References that it was reached by. */
  refs: readonly string[];
};

/** Generated schemas are often no more than a reference to one of their own definitions. */
const resolveRoot = ({ schema, pointer }: Located, walk: Walk): Located => {
  const seen = new Set<JsonObject>();
  let located = { schema, pointer };
  while (!seen.has(located.schema) && !("properties" in located.schema)) {
    seen.add(located.schema);
    const { $ref } = located.schema;
    const target = typeof $ref === "string" ? resolveRef(walk.root, $ref) : undefined;
    if (typeof $ref !== "string" || !isJsonObject(target)) return located;
    located = { schema: target, pointer: decodeFragment($ref) };
  }
  return located;
};

const normalizeRoot = ({ schema, pointer }: Located, walk: Walk): ToolParameters | undefined => {
  const { type = "object", required = [], properties = {} } = schema;
  const place = { pointer, depth: 0, refs: [] };
  if (excludesObjects(type)) {
    return walk.drop(`${pointer}/type`, "allows no object, so that the tool has no parameters");
  }
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    if (keyword in schema) walk.drop(`${pointer}/${keyword}`, "is no part of the parameters");
  }
  normalizeValue(["type", type], enter(place, "type"), walk);
  const names = normalizeValue(["required", required], enter(place, "required"), walk);
  const normalized = normalizeProperties(properties, enter(place, "properties"), walk);
  // Providers refuse a required property that is not declared, and the whole call with it.
  const declared = (Array.isArray(names) ? names : []).filter(
    (name): name is string => typeof name === "string" && Object.hasOwn(normalized, name),
  );
  return {
    type: "object",
    properties: normalized,
    ...(declared.length > 0 && { required: declared }),
  };
};

/** True if a type is valid and not one of objects. */
const excludesObjects = (type: JsonValue): boolean => {
  const types = Array.isArray(type) ? type : [type];
  return !types.includes("object") && types.some((one) => TYPES.has(one));
};

const normalizeProperties = (properties: JsonValue, place: Place, walk: Walk): JsonObject => {
  if (!isJsonObject(properties)) return walk.drop(place.pointer, "is no map of schemas") ?? {};
  const declared = Object.entries(properties).flatMap(([name, schema]): [string, JsonValue][] => {
    const at = enter(place, name);
    if (schema === true) return [[name, {}]];
    if (schema !== false) return [[name, normalizeSchema(schema, at, walk) ?? {}]];
    walk.drop(at.pointer, "is never allowed");
    return [];
  });
  return Object.fromEntries(declared);
};

/** @returns undefined for what is no schema. */
const normalizeSchema = (schema: JsonValue, place: Place, walk: Walk): JsonValue | undefined => {
  charge(place, walk, 0);
  if (typeof schema === "boolean") return schema;
  if (!isJsonObject(schema)) return walk.drop(place.pointer, "is no schema");
  const { $ref, ...keywords } = schema;
  const own = Object.entries(keywords).flatMap(([keyword, value]): [string, JsonValue][] => {
    if (OMITTED_KEYWORDS.has(keyword)) return [];
    const at = enter(place, keyword);
    charge(at, walk, keyword.length);
    const holder = SUBSCHEMA_KEYWORDS.get(keyword);
    const normalized = holder
      ? NORMALIZE_HELD[holder](value, at, walk)
      : normalizeValue([keyword, value], at, walk);
    return normalized === undefined ? [] : [[keyword, normalized]];
  });
  const target = $ref === undefined ? {} : followRef($ref, enter(place, "$ref"), walk);
  return { ...target, ...Object.fromEntries(own) };
};

/** Definitions are inlined, and identifiers would change what references mean. */
const OMITTED_KEYWORDS: ReadonlySet<string> = new Set(
  "$defs definitions $schema $id $anchor $dynamicAnchor $recursiveAnchor".split(" "),
);

type Normalize = (value: JsonValue, place: Place, walk: Walk) => JsonValue | undefined;

const normalizeList: Normalize = (value, place, walk) => {
  if (!Array.isArray(value)) return walk.drop(place.pointer, "is no list of schemas");
  const schemas = value
    .map((schema, index) => normalizeSchema(schema, enter(place, index), walk))
    .filter((schema) => schema !== undefined);
  return schemas.length > 0 ? schemas : walk.drop(place.pointer, "is no list of schemas");
};

const normalizeMap: Normalize = (value, place, walk) => {
  if (!isJsonObject(value)) return walk.drop(place.pointer, "is no map of schemas");
  const schemas = Object.entries(value).map(([name, schema]): [string, JsonValue] => {
    const at = enter(place, name);
    charge(at, walk, name.length);
    return [name, normalizeSchema(schema, at, walk) ?? {}];
  });
  return Object.fromEntries(schemas);
};

const NORMALIZE_HELD: Record<SubschemaHolder, Normalize> = {
  schema: normalizeSchema,
  list: normalizeList,
  schemaOrList: (value, place, walk) =>
    Array.isArray(value) ? normalizeList(value, place, walk) : normalizeSchema(value, place, walk),
  map: normalizeMap,
  patternMap: (value, place, walk) => {
    if (!isJsonObject(value)) return walk.drop(place.pointer, "is no map of schemas");
    const usable = Object.entries(value).filter(
      ([pattern]) =>
        isPattern(pattern) || walk.drop(enter(place, pattern).pointer, "is no valid pattern"),
    );
    return normalizeMap(Object.fromEntries(usable), place, walk);
  },
};

/** Normalizes the value of a keyword that holds no schemas. */
const normalizeValue = (
  [keyword, value]: [keyword: string, value: JsonValue],
  place: Place,
  walk: Walk,
): JsonValue | undefined => {
  charge(place, walk, JSON.stringify(value).length);
  const isValidEntry = VALID_ENTRY.get(keyword);
  const entries =
    isValidEntry && Array.isArray(value) ? value.filter((entry) => isValidEntry(entry)) : value;
  const isValid = VALUE_RULES.get(keyword) ?? ANNOTATION_RULES.get(keyword);
  if (isValid && !isValid(entries)) return walk.drop(place.pointer, "has no valid value");
  if (Array.isArray(value) && Array.isArray(entries) && entries.length < value.length) {
    walk.drop(place.pointer, "has entries that are not valid");
  }
  return entries;
};

/** Lists of which the valid entries stay. */
const VALID_ENTRY = new Map<string, (entry: JsonValue) => boolean>([
  ["type", (entry) => TYPES.has(entry)],
  ["required", (entry) => typeof entry === "string"],
]);

const isText = (value: JsonValue): boolean => typeof value === "string";
const isUnsupported = (): boolean => false;

/** Keywords that do not matter to a validation, but to providers. */
const ANNOTATION_RULES = new Map<string, (value: JsonValue) => boolean>([
  ["title", isText],
  ["description", isText],
  ["$dynamicRef", isUnsupported],
  ["$recursiveRef", isUnsupported],
]);

/** @returns the target, without constraints where the reference must end. */
const followRef = (ref: JsonValue, place: Place, walk: Walk): JsonObject => {
  const target = typeof ref === "string" ? resolveRef(walk.root, ref) : undefined;
  if (typeof ref !== "string" || target === undefined) {
    return walk.drop(place.pointer, "refers to nothing in the schema") ?? {};
  }
  walk.budget.chars -= CHARS_PER_NODE + ref.length;
  const pointer = decodeFragment(ref);
  // What contains itself ends at the first repetition, which is as much as can be inlined.
  if (place.refs.includes(pointer)) return {};
  if (place.depth > MAX_INLINED_DEPTH) {
    return walk.drop(place.pointer, "is nested too deeply") ?? {};
  }
  if (walk.budget.chars < 0) {
    return walk.drop(place.pointer, "would make the parameters too large") ?? {};
  }
  const refs = [...place.refs, pointer];
  const found = normalizeSchema(target, { pointer, depth: place.depth, refs }, walk);
  return isJsonObject(found) ? found : {};
};

const enter = (place: Place, key: PropertyKey): Place => ({
  ...place,
  pointer: place.pointer + toPointer([key]),
  depth: place.depth + 1,
});

/** Only what references add counts: the rest is as large as what the client has sent. */
const charge = ({ refs }: Place, { budget }: Walk, chars: number): void => {
  if (refs.length > 0) budget.chars -= CHARS_PER_NODE + chars;
};
