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
    ? normalizeRoot(schema, walk)
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

/** Where a schema ends up. */
type Place = {
  pointer: string;
  depth: number;
  /** References that it was reached by. */
  refs: readonly string[];
};

const normalizeRoot = (schema: JsonObject, walk: Walk): ToolParameters | undefined => {
  const form = readForm(schema, { pointer: "", depth: 0, refs: [] }, walk);
  if (!form) return walk.drop("/type", "allows no object, so that the tool has no parameters");
  // Providers refuse a required property that is not declared, and the whole call with it.
  const required = [...form.required].filter((name) => form.properties.has(name));
  return {
    type: "object",
    properties: Object.fromEntries(form.properties),
    ...(required.length > 0 && { required }),
  };
};

/** What a schema of objects says of their properties. */
type Form = { properties: ReadonlyMap<string, JsonValue>; required: ReadonlySet<string> };

const ANY_OBJECT: Form = { properties: new Map(), required: new Set() };

/**
 * Reads the properties of a schema and of all that it consists of, as providers take no union, and no reference, at the
 * root.
 *
 * @returns undefined for a schema that allows no object.
 */
const readForm = (schema: JsonValue, place: Place, walk: Walk): Form | undefined => {
  charge(place, walk, 0);
  if (schema === true) return ANY_OBJECT;
  if (!isJsonObject(schema)) return undefined;
  const { type = "object", required = [], properties = {}, $ref } = schema;
  if (excludesObjects(type)) return undefined;
  normalizeValue(["type", type], enter(place, "type"), walk);
  const names = normalizeValue(["required", required], enter(place, "required"), walk);
  const own: Form = {
    properties: readProperties(properties, enter(place, "properties"), walk),
    required: new Set(Array.isArray(names) ? names.filter(isText) : []),
  };
  const target = $ref === undefined ? undefined : findTarget($ref, enter(place, "$ref"), walk);
  return joinForms("allOf", [
    own,
    (target && readForm(target.schema, target.place, walk)) ?? ANY_OBJECT,
    ...UNIONS.map((keyword) => readUnion(keyword, schema, { place, walk })),
  ]);
};

const UNIONS = ["allOf", "anyOf", "oneOf"] as const;
type Union = (typeof UNIONS)[number];

const readUnion = (
  keyword: Union,
  { [keyword]: schemas }: JsonObject,
  { place, walk }: { place: Place; walk: Walk },
): Form => {
  if (schemas === undefined) return ANY_OBJECT;
  const at = enter(place, keyword);
  const listed = Array.isArray(schemas) ? schemas : [];
  const forms = listed.flatMap((one, index) => readForm(one, enter(at, index), walk) ?? []);
  if (forms.length > 0) return joinForms(keyword, forms);
  walk.drop(at.pointer, "has no form that is an object");
  return ANY_OBJECT;
};

/** Of several forms that may apply, what all of them require is required. */
const joinForms = (keyword: Union, forms: readonly Form[]): Form => {
  const isAll = keyword === "allOf";
  const entries = forms.flatMap(({ properties }) => [...properties]);
  const properties = [...Map.groupBy(entries, ([name]) => name)].map(
    ([name, found]): [string, JsonValue] => {
      const schemas = new Map(found.map(([, schema]) => [JSON.stringify(schema), schema]));
      const [first = {}, ...others] = schemas.values();
      return [
        name,
        others.length === 0 ? first : { [isAll ? "allOf" : "anyOf"]: [first, ...others] },
      ];
    },
  );
  const required = forms.map((form) => form.required);
  const names = required.flatMap((all) => [...all]);
  const isRequired = (name: string): boolean => isAll || required.every((all) => all.has(name));
  return { properties: new Map(properties), required: new Set(names.filter(isRequired)) };
};

/** True if a type is valid and not one of objects. */
const excludesObjects = (type: JsonValue): boolean => {
  const types = Array.isArray(type) ? type : [type];
  return !types.includes("object") && types.some((one) => TYPES.has(one));
};

const readProperties = (
  properties: JsonValue,
  place: Place,
  walk: Walk,
): ReadonlyMap<string, JsonValue> => {
  const normalized = normalizeProperties(properties, place, walk);
  return new Map(isJsonObject(normalized) ? Object.entries(normalized) : []);
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
    const normalize = findNormalizer(keyword);
    const normalized = normalize
      ? normalize(value, at, walk)
      : normalizeValue([keyword, value], at, walk);
    return normalized === undefined ? [] : [[keyword, normalized]];
  });
  const target = $ref === undefined ? {} : followRef($ref, enter(place, "$ref"), walk);
  return completeTypes({ ...target, ...rewriteTuple(Object.fromEntries(own), place, walk) });
};

/** Draft 2020-12 has tuples in `prefixItems`, and what follows them in `items`. */
const rewriteTuple = (schema: JsonObject, place: Place, walk: Walk): JsonObject => {
  if (!Array.isArray(schema.items) && schema.additionalItems === undefined) return schema;
  const { items, additionalItems, ...others } = schema;
  if (items === undefined) return others;
  if (!Array.isArray(items)) return { ...others, items };
  if (schema.prefixItems !== undefined) {
    walk.drop(enter(place, "items").pointer, "is a second tuple beside prefixItems");
    return others;
  }
  const rest = additionalItems === undefined ? {} : { items: additionalItems };
  return { ...others, prefixItems: items, ...rest };
};

/** OpenAI refuses a list without `items`. OpenAPI has `nullable`, which is no keyword of JSON Schema. */
const completeTypes = ({ nullable, ...schema }: JsonObject): JsonObject => {
  const { type, enum: choices } = schema;
  const types = Array.isArray(type) ? type : [type];
  const isNullable = nullable === true;
  return {
    ...schema,
    ...(types.includes("array") && schema.items === undefined && { items: {} }),
    ...(isNullable && type !== undefined && { type: [...new Set([...types, "null"])] as string[] }),
    ...(isNullable && Array.isArray(choices) && { enum: [...new Set([...choices, null])] }),
  };
};

/** Definitions are inlined, and identifiers would change what references mean. */
const OMITTED_KEYWORDS: ReadonlySet<string> = new Set(
  "$defs definitions $schema $id $anchor $dynamicAnchor $recursiveAnchor".split(" "),
);

type Normalize = (value: JsonValue, place: Place, walk: Walk) => JsonValue | undefined;

const normalizeList: Normalize = (value, place, walk) => {
  if (!Array.isArray(value)) return walk.drop(place.pointer, "is no list of schemas");
  const schemas = value
    .map((schema, index) => normalizeSchema(toObjectSchema(schema), enter(place, index), walk))
    .filter((schema) => schema !== undefined);
  return schemas.length > 0 ? schemas : walk.drop(place.pointer, "is no list of schemas");
};

const normalizeMap: Normalize = (value, place, walk) => {
  if (!isJsonObject(value)) return walk.drop(place.pointer, "is no map of schemas");
  const schemas = Object.entries(value).map(([name, schema]): [string, JsonValue] => {
    const at = enter(place, name);
    charge(at, walk, name.length);
    return [name, normalizeSchema(toObjectSchema(schema), at, walk) ?? {}];
  });
  return Object.fromEntries(schemas);
};

/** Some providers take no `true`, which means the same. */
const toObjectSchema = (schema: JsonValue): JsonValue => (schema === true ? {} : schema);

/** A property that is never allowed is left out. */
const normalizeProperties: Normalize = (value, place, walk) => {
  if (!isJsonObject(value)) return walk.drop(place.pointer, "is no map of schemas");
  const allowed = Object.entries(value).filter(
    ([name, schema]) =>
      schema !== false || walk.drop(enter(place, name).pointer, "is never allowed"),
  );
  return normalizeMap(Object.fromEntries(allowed), place, walk);
};

const NORMALIZE_HELD: Record<SubschemaHolder, Normalize> = {
  schema: normalizeSchema,
  list: normalizeList,
  schemaOrList: (value, place, walk) =>
    Array.isArray(value)
      ? normalizeList(value, place, walk)
      : normalizeSchema(toObjectSchema(value), place, walk),
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

/** @returns undefined for a keyword that holds no schemas. */
const findNormalizer = (keyword: string): Normalize | undefined => {
  if (keyword === "properties") return normalizeProperties;
  const holder = SUBSCHEMA_KEYWORDS.get(keyword);
  return holder && NORMALIZE_HELD[holder];
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
    isValidEntry && Array.isArray(value)
      ? [...new Set(value)].filter((entry) => isValidEntry(entry))
      : value;
  const isValid = PROVIDER_RULES.get(keyword) ?? VALUE_RULES.get(keyword);
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

const isText = (value: JsonValue): value is string => typeof value === "string";
const isFlag = (value: JsonValue): boolean => typeof value === "boolean";
const isMapOfDistinctNames = (value: JsonValue): boolean =>
  isJsonObject(value) &&
  Object.values(value).every(
    (names) => Array.isArray(names) && names.every(isText) && new Set(names).size === names.length,
  );
const isUnsupported = (): boolean => false;

/** What providers check by the meta-schema of draft 2020-12, and validations do not need. */
const PROVIDER_RULES = new Map<string, (value: JsonValue) => boolean>([
  ["title", isText],
  ["description", isText],
  ["$comment", isText],
  ["contentEncoding", isText],
  ["contentMediaType", isText],
  ["deprecated", isFlag],
  ["readOnly", isFlag],
  ["writeOnly", isFlag],
  ["uniqueItems", isFlag],
  ["nullable", isFlag],
  ["examples", Array.isArray],
  ["dependentRequired", isMapOfDistinctNames],
  ["dependencies", isUnsupported],
  ["contentSchema", isUnsupported],
  ["$dynamicRef", isUnsupported],
  ["$recursiveRef", isUnsupported],
]);

/** @returns the target, without constraints where the reference must end. */
const followRef = (ref: JsonValue, place: Place, walk: Walk): JsonObject => {
  const target = findTarget(ref, place, walk);
  const found = target && normalizeSchema(target.schema, target.place, walk);
  return isJsonObject(found) ? found : {};
};

/** @returns undefined where the reference must end. */
const findTarget = (
  ref: JsonValue,
  place: Place,
  walk: Walk,
): { schema: JsonValue; place: Place } | undefined => {
  const schema = typeof ref === "string" ? resolveRef(walk.root, ref) : undefined;
  if (typeof ref !== "string" || schema === undefined) {
    return walk.drop(place.pointer, "refers to nothing in the schema");
  }
  walk.budget.chars -= CHARS_PER_NODE + ref.length;
  const pointer = decodeFragment(ref);
  // What contains itself ends at the first repetition, which is as much as can be inlined.
  if (place.refs.includes(pointer)) return undefined;
  if (place.depth > MAX_INLINED_DEPTH) return walk.drop(place.pointer, "is nested too deeply");
  if (walk.budget.chars < 0) {
    return walk.drop(place.pointer, "would make the parameters too large");
  }
  return { schema, place: { pointer, depth: place.depth, refs: [...place.refs, pointer] } };
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
