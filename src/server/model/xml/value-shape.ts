import type { JSONSchema7 } from "@ai-sdk/provider";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { resolveRef } from "@/contract/json-pointer";
import { isExactNumber } from "@/lib/exact-json";
import { memoizeByObject } from "@/lib/memoize-by-object";

const KINDS = ["string", "number", "boolean", "null", "object", "array"] as const;
export type Kind = (typeof KINDS)[number];

/** What a schema says of a value, as far as it matters to how the value is written in XML. */
export type Shape = {
  kinds: ReadonlySet<Kind>;
  /** A list, or null: it is written as repeated elements. */
  isList: boolean;
  /** Whether a property has a schema of its own. */
  declares: (name: string) => boolean;
  property: (name: string) => Shape;
  items: () => Shape;
};

/** The shape of the arguments of a tool. */
export const toShape: (schema: JSONSchema7) => Shape = memoizeByObject((schema) =>
  createShape([schema as JsonObject], schema as JsonObject),
);

/** @param schemas what the value may or must satisfy: the difference does not help to read it. */
const createShape = (schemas: readonly JsonValue[], root: JsonObject): Shape => {
  const all = expand(schemas, root);
  const declared = new Set(all.flatMap(readKinds));
  const kinds = declared.size === 0 ? new Set(KINDS) : declared;
  const find = (keyword: string): JsonValue[] => all.flatMap((schema) => schema[keyword] ?? []);
  const declarations = find("properties").filter(isJsonObject);
  const declares = (name: string): boolean => declarations.some((one) => Object.hasOwn(one, name));
  const properties = new Map<string, Shape>();
  let others: Shape | undefined;
  let items: Shape | undefined;
  return {
    kinds,
    isList: kinds.has("array") && kinds.size === (kinds.has("null") ? 2 : 1),
    declares,
    property: (name) => {
      // A model may make up any number of names.
      if (!declares(name)) return (others ??= createShape(find("additionalProperties"), root));
      const found = declarations.flatMap(
        (one) => (Object.hasOwn(one, name) ? one[name] : []) ?? [],
      );
      const shape = properties.get(name) ?? createShape(found, root);
      properties.set(name, shape);
      return shape;
    },
    items: () => (items ??= createShape(find("items"), root)),
  };
};

/** @returns the schemas, and those that they refer to or combine. */
const expand = (schemas: readonly JsonValue[], root: JsonObject): JsonObject[] => {
  const found = new Set(schemas.filter(isJsonObject));
  for (const { $ref, allOf, anyOf, oneOf } of found) {
    const target = typeof $ref === "string" ? resolveRef(root, $ref) : undefined;
    const parts = [target, allOf, anyOf, oneOf].flatMap((part) => part ?? []);
    for (const part of parts) if (isJsonObject(part)) found.add(part);
  }
  return [...found];
};

const readKinds = (schema: JsonObject): Kind[] => {
  const { type, enum: values } = schema;
  const types = [type ?? []].flat().map((one) => (one === "integer" ? "number" : one));
  if (type !== undefined) return KINDS.filter((kind) => types.includes(kind));
  if ("const" in schema) return [findKind(schema.const ?? null)];
  if (Array.isArray(values)) return values.map(findKind);
  if ("properties" in schema) return ["object"];
  return "items" in schema ? ["array"] : [];
};

export const findKind = (value: JsonValue): Kind => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isExactNumber(value)) return "number";
  return typeof value as Exclude<Kind, "null" | "array">;
};

/** The shape of a value that no schema describes. */
export const ANY_SHAPE: Shape = createShape([], {});
