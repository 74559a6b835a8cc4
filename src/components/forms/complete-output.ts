import { isJsonObject, type JsonObject, type JsonValue } from "@/contract/json";
import { MAX_TOOL_SCHEMA_DEPTH } from "@/contract/limits";
import { partProblems } from "./part-problems";
import { mergeChain, refChain, withoutRef } from "./schema-ref";

/**
 * What a form holds, as the answer that it means. Required fields have a value from the start: a box
 * that is not ticked is `false`, an empty text is `""`, an empty list is `[]`. Optional fields that
 * nobody touched are left out.
 *
 * @returns undefined for a required number or choice that is still open.
 */
export const completeOutput = (
  schema: JsonObject,
  value: JsonValue | undefined,
): JsonValue | undefined => fill({ schema, value, given: value, required: true }, walkFrom(schema));

/** What a form holds before anybody touches it: the schema's defaults. */
export const startingOutput = (schema: JsonObject): JsonValue | undefined =>
  startingPart(schema, schema);

/** What the fields of one option of a choice hold when it is picked. */
export const startingPart = (
  part: JsonValue | undefined,
  root: JsonObject,
): JsonValue | undefined =>
  part === undefined
    ? undefined
    : fill(
        { schema: part, value: undefined, given: undefined, required: true },
        { ...walkFrom(root), defaults: true },
      );

/** The option of a choice that a value belongs to: the one with the fewest problems, the first of equals. */
export const closestOption = (
  options: JsonValue[],
  value: JsonValue | undefined,
  root: JsonObject,
): number => closest(options, { value, given: value }, walkFrom(root));

const closest = (options: JsonValue[], held: Held, walk: Walk): number => {
  const { value } = held;
  if (value === undefined) return 0;
  const { root } = walk;
  const problems = options.map((option) => {
    const place = { ...held, schema: option, required: true };
    const found = partProblems(option, fill(place, { ...walk, defaults: false }), root);
    // A value of another type or kind has one problem only, but a grave one.
    const isOther = found.some(({ pointer }) => pointer === "") || isOtherKind(option, value, root);
    return isOther ? Number.MAX_SAFE_INTEGER : found.length;
  });
  return Math.max(0, problems.indexOf(Math.min(...problems)));
};

/** Whether a field that can have only one value in this option has another one. */
const isOtherKind = (option: JsonValue, value: JsonValue, root: JsonObject): boolean => {
  const { properties } = withoutRef(option, root);
  if (!isJsonObject(properties) || !isJsonObject(value)) return false;
  return Object.entries(properties).some(([name, property]) => {
    const only = onlyValue(withoutRef(property, root));
    return only !== undefined && Object.hasOwn(value, name) && value[name] !== only;
  });
};

const onlyValue = ({ enum: values }: JsonObject): JsonValue | undefined =>
  Array.isArray(values) && values.length === 1 ? values[0] : undefined;

type Held = {
  value: JsonValue | undefined;
  /** What a person has put in here; `value` may have been completed since. */
  given: JsonValue | undefined;
};
type Place = Held & { schema: JsonValue | undefined; required: boolean };
type Walk = {
  root: JsonObject;
  depth: number;
  /** What nobody has filled in gets its default. */
  defaults: boolean;
  /** The schemas that were entered since somebody gave a value. */
  inside: readonly JsonObject[];
};

const walkFrom = (root: JsonObject): Walk => ({ root, depth: 0, defaults: false, inside: [] });

const fill = (place: Place, walk: Walk): JsonValue | undefined => {
  if (walk.depth > MAX_TOOL_SCHEMA_DEPTH) return place.value;
  const entered = refChain(place.schema, walk.root);
  const isInsideItself = entered.some((schema) => walk.inside.includes(schema));
  // Such a schema stays empty until somebody opens it, whatever it requires: it would have no end.
  if (isInsideItself && place.value === undefined) return undefined;
  const schema = mergeChain(entered);
  const value = place.value === undefined && walk.defaults ? schema.default : place.value;
  if (value === undefined && !place.required && !walk.defaults) return undefined;
  const deeper = { ...walk, depth: walk.depth + 1, inside: [...walk.inside, ...entered] };
  const own = fillOwn({ ...place, schema, value }, deeper);
  return branches(schema, { ...place, value: own }, deeper).reduce<JsonValue | undefined>(
    (filled, branch) => fill({ ...place, schema: branch, value: filled }, deeper),
    own,
  );
};

type OwnPlace = Place & { schema: JsonObject };

const fillOwn = (place: OwnPlace, walk: Walk): JsonValue | undefined => {
  const { schema, required } = place;
  const type = schema.type ?? (isJsonObject(schema.properties) ? "object" : "any");
  const start = required ? emptyValue(type, schema) : undefined;
  const value = place.value === undefined ? start : place.value;
  if (Array.isArray(schema.enum)) return value;
  if (type === "array") return fillList({ ...place, value }, walk);
  if (type === "object") return fillFields(place, walk);
  // JSON has no infinity: it would be sent as null.
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
};

/** What a required field has before anybody touches it. */
const emptyValue = (type: JsonValue, schema: JsonObject): JsonValue | undefined => {
  if (Array.isArray(schema.enum)) return onlyValue(schema);
  if (type === "boolean") return false;
  if (type === "null") return null;
  if (type === "array") return [];
  return type === "string" && mayBeEmpty(schema) ? "" : undefined;
};

const mayBeEmpty = ({ minLength, format, pattern }: JsonObject): boolean =>
  (minLength === undefined || minLength === 0) && format === undefined && pattern === undefined;

const fillList = ({ schema, value, given }: OwnPlace, walk: Walk): JsonValue | undefined => {
  if (!Array.isArray(value)) return value;
  const givenItems = Array.isArray(given) ? given : [];
  return value.map((item, index) => {
    // The form library, and JSON itself, write an item without a value as null.
    const isOpen = item === null && partProblems(schema.items ?? true, null, walk.root).length > 0;
    const held = { value: isOpen ? undefined : item, given: givenItems[index] };
    return fill({ ...held, schema: schema.items, required: true }, into(held, walk)) ?? null;
  });
};

/** What a person has put in may lead to where they have been before: it comes to an end. */
const into = ({ given }: Held, walk: Walk): Walk =>
  given === undefined ? walk : { ...walk, inside: [] };

const fillFields = (place: OwnPlace, walk: Walk): JsonValue | undefined => {
  const { value, required } = place;
  if (value !== undefined && !isJsonObject(value)) return value;
  const untouched = isUntouched(value);
  if (untouched && !required && !walk.defaults) return undefined;
  const fields = fieldPlaces(place, value ?? {}).map(([name, field]): [string, Place] => [
    name,
    { ...field, required: field.required && (required || !untouched) },
  ]);
  const filled: JsonObject = {};
  for (const [name, field] of fields) {
    const content = fill(field, into(field, walk));
    if (content !== undefined) filled[name] = content;
  }
  return !required && Object.keys(filled).length === 0 ? undefined : filled;
};

const fieldPlaces = (
  { schema, given }: OwnPlace,
  value: JsonObject,
): [name: string, place: Place][] => {
  const givenFields = isJsonObject(given) ? given : {};
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return [...new Set([...Object.keys(properties), ...Object.keys(value)])].map((name) => [
    name,
    {
      schema: ownValue(properties, name) ?? schema.additionalProperties,
      value: ownValue(value, name),
      given: ownValue(givenFields, name),
      required: required.includes(name),
    },
  ]);
};

const ownValue = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The form library keeps the names of fields that were emptied again. */
const isUntouched = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  (isJsonObject(value) && Object.values<JsonValue | undefined>(value).every(isUntouched));

const branches = (schema: JsonObject, held: Held, walk: Walk): JsonValue[] => {
  const options = schema.anyOf ?? schema.oneOf;
  const chosen = Array.isArray(options) ? options[closest(options, held, walk)] : undefined;
  const holds =
    schema.if !== undefined && partProblems(schema.if, held.value, walk.root).length === 0;
  const conditional = schema.if === undefined ? undefined : holds ? schema.then : schema.else;
  const parts = Array.isArray(schema.allOf) ? schema.allOf : [];
  return [...parts, chosen, conditional].filter((branch) => branch !== undefined);
};
