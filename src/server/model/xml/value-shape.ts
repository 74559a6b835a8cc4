import type { JSONSchema7 } from "@ai-sdk/provider";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { resolveRef } from "@/contract/json-pointer";
import { memoizeByObject } from "@/lib/memoize-by-object";

export type Kind = "string" | "number" | "boolean" | "null" | "object" | "array";

/** What a schema says of a value, as far as it matters to how the value is written in XML. */
export type Shape = {
  kinds: ReadonlySet<Kind>;
  /** A list of one value's items, which is written as repeated elements. */
  isList: boolean;
  /** A text, or a union of a text and other values without parts. */
  isText: boolean;
  /** Whether a property has a schema of its own. */
  declares: (name: string) => boolean;
  property: (name: string) => Shape;
  items: () => Shape;
};

const ALL_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  "string",
  "number",
  "boolean",
  "null",
  "object",
  "array",
]);

/** The shape of a value that no schema describes. */
export const ANY_SHAPE: Shape = {
  kinds: ALL_KINDS,
  isList: false,
  isText: false,
  declares: () => false,
  property: () => ANY_SHAPE,
  items: () => ANY_SHAPE,
};

/** The shape of the arguments of a tool. */
export const toShape: (schema: JSONSchema7) => Shape = memoizeByObject((schema) => {
  const root = schema as JsonObject;
  return createShape(expand(root, root, 0), root);
});

/** Ways in which a value can satisfy a schema, each of them a list of schemas that it must satisfy all. */
type Alternatives = JsonObject[][];

/** More alternatives, or deeper references, say nothing that helps to read a value. */
const MAX_ALTERNATIVES = 64;
const MAX_DEPTH = 16;
/** Properties whose shapes are kept, more than tools have. */
const MAX_PROPERTIES = 1_000;
const ANYTHING: Alternatives = [[{}]];

const expand = (schema: JsonValue | undefined, root: JsonObject, depth: number): Alternatives => {
  if (!isJsonObject(schema)) return ANYTHING;
  if (depth > MAX_DEPTH) return ANYTHING;
  const { $ref, allOf, anyOf, oneOf } = schema;
  let found: Alternatives = [[schema]];
  const add = (next: Alternatives): void => {
    if (found.length * next.length > MAX_ALTERNATIVES) return;
    found = found.flatMap((one) => next.map((other) => [...one, ...other]));
  };
  if (typeof $ref === "string") add(expand(resolveRef(root, $ref), root, depth + 1));
  for (const part of toList(allOf)) add(expand(part, root, depth + 1));
  for (const choice of [toList(anyOf), toList(oneOf)]) {
    if (choice.length > 0) add(choice.flatMap((one) => expand(one, root, depth + 1)));
  }
  return found;
};

const createShape = (alternatives: Alternatives, root: JsonObject): Shape => {
  const properties = new Map<string, Shape>();
  let items: Shape | undefined;
  const shapeOf = (find: (schema: JsonObject) => JsonValue[]): Shape =>
    createShape(
      alternatives.flatMap((all) =>
        all
          .flatMap(find)
          .map((schema) => expand(schema, root, 0))
          .reduce(combine, [[]]),
      ),
      root,
    );
  const found = new Set(alternatives.flatMap((all) => [...findKinds(all)]));
  const kinds = found.size === 0 ? ALL_KINDS : found;
  return {
    kinds,
    isList: kinds.has("array") && kinds.size === (kinds.has("null") ? 2 : 1),
    isText: kinds.has("string") && !kinds.has("object") && !kinds.has("array"),
    declares: (name) => alternatives.some((all) => all.some((schema) => hasProperty(schema, name))),
    property: (name) => {
      let shape = properties.get(name);
      if (shape === undefined) {
        shape = shapeOf((schema) => findProperty(schema, name));
        // A model may make up names.
        if (properties.size < MAX_PROPERTIES) properties.set(name, shape);
      }
      return shape;
    },
    items: () => (items ??= shapeOf(({ items: schema }) => (isJsonObject(schema) ? [schema] : []))),
  };
};

const combine = (all: Alternatives, next: Alternatives): Alternatives =>
  all.length * next.length > MAX_ALTERNATIVES
    ? all
    : all.flatMap((one) => next.map((other) => [...one, ...other]));

const findProperty = (schema: JsonObject, name: string): JsonValue[] => {
  const { properties, additionalProperties } = schema;
  if (isJsonObject(properties) && hasProperty(schema, name)) return [properties[name] ?? {}];
  return isJsonObject(additionalProperties) ? [additionalProperties] : [];
};

const hasProperty = ({ properties }: JsonObject, name: string): boolean =>
  isJsonObject(properties) && Object.hasOwn(properties, name);

/** The kinds that all schemas of a list allow. */
const findKinds = (all: readonly JsonObject[]): Set<Kind> =>
  all
    .map(readKinds)
    .reduce<Set<Kind>>(
      (some, next) => new Set([...some].filter((kind) => next.has(kind))),
      new Set(ALL_KINDS),
    );

const readKinds = (schema: JsonObject): ReadonlySet<Kind> => {
  const { type, enum: values } = schema;
  if (type !== undefined) return new Set(toList(type).flatMap(toKind));
  if ("const" in schema) return new Set([kindOf(schema.const ?? null)]);
  if (Array.isArray(values)) return new Set(values.map(kindOf));
  if ("properties" in schema) return new Set(["object"]);
  return "items" in schema ? new Set(["array"]) : ALL_KINDS;
};

const toKind = (type: JsonValue): Kind[] => {
  if (type === "integer") return ["number"];
  return ALL_KINDS.has(type as Kind) ? [type as Kind] : [];
};

export const kindOf = (value: JsonValue): Kind => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as Exclude<Kind, "null" | "array">;
};

const toList = (value: JsonValue | undefined): JsonValue[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};
