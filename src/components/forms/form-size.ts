import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { mergeSchemas, resolveRefChain } from "./schema-ref";

/** Fields of the largest form, where each choice counts for every option: far more than people fill in. */
const MAX_SIZE = 5_000;
/** Schemas that contain or refer to each other, down to one field: far below what the stack allows. */
const MAX_DEPTH = 200;

/**
 * True if rendering the fields of a schema could block the page: references and choices that contain each
 * other multiply, and the form library processes each of their combinations.
 *
 * @param root a usable schema.
 */
export const isTooLargeForForm = (root: JsonObject): boolean => {
  let visited = 0;
  const sum = (parts: Part[], ancestors: Ancestors): number =>
    parts.reduce((total, part) => total + measure(part, ancestors), 0);

  const measure = ([part, value]: Part, ancestors: Ancestors): number => {
    if (!isJsonObject(part)) return 0;
    if (++visited > MAX_SIZE || ancestors.length > MAX_DEPTH) return MAX_SIZE + 1;
    const chain = resolveRefChain(part, root);
    const schema = mergeSchemas(chain);
    // A recursive schema has fields only where it has a value.
    if (value === undefined && chain.some((one) => ancestors.includes(one))) return 1;
    const initial = value === undefined ? schema.default : value;
    const path = [...ancestors, ...chain];
    const own = sum(listFields(schema, initial), path);
    const parts = [...listParts(schema), schema.if, schema.then, schema.else];
    const merged = sum(
      parts.map((one) => [one, initial]),
      path,
    );
    const choices = sum(
      listOptions(schema).map((one) => [one, initial]),
      path,
    );
    // The form library decides on a choice before it renders it, and so on in each option.
    return (1 + own + merged + 2 * choices) * countTypes(schema) * countCombinations(schema);
  };
  return measure([root, undefined], []) > MAX_SIZE;
};

type Ancestors = readonly JsonObject[];

/** A schema, if there is one, and the initial value that it is applied to. */
type Part = [schema: JsonValue | undefined, value: JsonValue | undefined];

const listFields = (schema: JsonObject, value: JsonValue | undefined): Part[] => {
  const { properties, items, additionalProperties } = schema;
  const values = isJsonObject(value) ? value : {};
  const named = isJsonObject(properties) ? properties : {};
  const others = Object.entries(values).filter(([name]) => !Object.hasOwn(named, name));
  const entries = Array.isArray(value) ? value : [undefined];
  return [
    ...Object.entries(named).map(([name, one]): Part => [
      one,
      Object.hasOwn(values, name) ? values[name] : undefined,
    ]),
    ...others.map(([, one]): Part => [additionalProperties, one]),
    ...entries.map((item): Part => [items, item]),
  ];
};

const listOptions = ({ anyOf = [], oneOf = [] }: JsonObject): JsonValue[] => [anyOf, oneOf].flat();

/** Lists the schemas that the form library merges into a schema. */
const listParts = ({ allOf = [], ...keywords }: JsonObject): JsonValue[] => [
  ...(Array.isArray(allOf) ? allOf : []),
  ...Object.values(isJsonObject(keywords.dependentSchemas) ? keywords.dependentSchemas : {}),
  ...Object.values(isJsonObject(keywords.dependencies) ? keywords.dependencies : {}),
];

/** Each of several types becomes an option with all keywords of the schema. */
const countTypes = ({ type }: JsonObject): number => (Array.isArray(type) ? type.length : 1);

/** The form library merges each option of one part with each option of the others. */
const countCombinations = (schema: JsonObject): number =>
  listParts(schema)
    .map((part) => (isJsonObject(part) ? listOptions(part).length : 1))
    .reduce((product, options) => product * Math.max(1, options), 1);
