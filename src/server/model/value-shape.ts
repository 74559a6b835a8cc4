import type { JSONSchema7 } from "@ai-sdk/provider";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { resolveRef } from "@/contract/json-pointer";
import { isExactNumber } from "@/lib/exact-json";
import { memoizeByObject } from "@/lib/memoize-by-object";

const KINDS = ["string", "number", "boolean", "null", "object", "array"] as const;
export type Kind = (typeof KINDS)[number];

/** What a schema says of a value, as far as it matters to how the value is written as text. */
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
export const toShape: (schema: JSONSchema7) => Shape = memoizeByObject((root) => {
  const createShape = memoizeByObject((schema: JsonObject): Shape => {
    const all = expand(schema, root as JsonObject);
    const declared = all.flatMap(readKinds);
    const kinds = new Set(declared.length === 0 ? KINDS : declared);
    const find = (keyword: string): JsonValue[] => all.flatMap((one) => one[keyword] ?? []);
    const properties = find("properties").filter(isJsonObject);
    const findDeclared = (name: string): JsonValue[] =>
      properties.flatMap((one) => (Object.hasOwn(one, name) ? one[name] : []) ?? []);
    return {
      kinds,
      isList: kinds.has("array") && kinds.size === (kinds.has("null") ? 2 : 1),
      declares: (name) => findDeclared(name).length > 0,
      property: (name) => {
        const found = findDeclared(name);
        return combine(found.length > 0 ? found : find("additionalProperties"));
      },
      items: () => combine(find("items")),
    };
  });
  const combine = (schemas: JsonValue[]): Shape =>
    createShape(schemas.length === 1 && isJsonObject(schemas[0]) ? schemas[0] : { anyOf: schemas });
  return createShape(root as JsonObject);
});

/** @returns a schema with those that it refers to or combines: whether a value must satisfy all does not help to read it. */
const expand = (schema: JsonObject, root: JsonObject): JsonObject[] => {
  const found = new Set([schema]);
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
export const ANY_SHAPE = toShape({});
