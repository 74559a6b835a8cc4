import type { Schema } from "./openapi-document";
import type { ReferenceField, ReferenceShape, ReferenceVariant, TypePart } from "./reference";

/** Returns what a reader needs of a schema; named schemas become links. */
export const readShape = (schema: Schema): ReferenceShape => ({
  type: readType(schema),
  variants: readVariants(schema),
});

export const readField = (name: string, schema: Schema, isRequired: boolean): ReferenceField => ({
  ...readShape(schema),
  name,
  isRequired,
  description: toSentence(schema.description ?? ""),
  limits: readLimits(schema),
});

/** Adds the period that some descriptions lack, as the limits follow in the same line. */
export const toSentence = (text: string): string =>
  text === "" || /[.!?]$/.test(text) ? text : `${text}.`;

const readType = (schema: Schema): TypePart[] => {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return [{ text: name, schema: name }];
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return joinTypes(branches);
  if (schema.const !== undefined) return [{ text: JSON.stringify(schema.const) }];
  if (schema.enum) {
    return [{ text: schema.enum.map((value) => JSON.stringify(value)).join(" | ") }];
  }
  if (schema.items) return [{ text: "array of " }, ...readType(schema.items)];
  if (typeof schema.additionalProperties === "object") {
    return [{ text: "map of " }, ...readType(schema.additionalProperties)];
  }
  if (schema.type === undefined) return [{ text: "any JSON" }];
  if (schema.format === "binary") return [{ text: "bytes" }];
  return [
    { text: schema.format === undefined ? schema.type : `${schema.type} (${schema.format})` },
  ];
};

/** Two alternatives that differ in their fields only are both “object”, which is said once. */
const joinTypes = (branches: readonly Schema[]): TypePart[] => {
  const types = new Map(branches.map(readType).map((type) => [JSON.stringify(type), type]));
  return [...types.values()].flatMap((type, index) =>
    index === 0 ? type : [{ text: " | " }, ...type],
  );
};

const readVariants = (schema: Schema): ReferenceVariant[] => {
  const { properties, required = [], items, additionalProperties } = schema;
  const nested = [...(schema.anyOf ?? schema.oneOf ?? []), ...(items ? [items] : [])];
  if (typeof additionalProperties === "object") nested.push(additionalProperties);
  if (!properties) return nested.flatMap(readVariants);
  const fields = Object.entries(properties).map(([name, field]) =>
    readField(name, field, required.includes(name)),
  );
  return [{ label: findLabel(properties), fields }];
};

/** Labels an alternative by its discriminant, the field that has one value only. */
const findLabel = (properties: Readonly<Record<string, Schema>>): string | undefined => {
  const [name, field] =
    Object.entries(properties).find(([, { const: value }]) => value !== undefined) ?? [];
  return name === undefined ? undefined : `${name}: ${JSON.stringify(field?.const)}`;
};

const readLimits = (schema: Schema): string[] => {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    ...toRange(isSafeBound(minimum), isSafeBound(maximum), ""),
    ...toRange(minLength, maxLength, " characters"),
    ...toRange(minItems, maxItems, " items"),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
};

/** The document names the bounds of JavaScript's integers, which say nothing to a reader. */
const isSafeBound = (bound: number | undefined): number | undefined =>
  bound !== undefined && Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound;

const toRange = (least: number | undefined, most: number | undefined, unit: string): string[] => {
  const format = (bound: number): string => bound.toLocaleString("en-US");
  if (least !== undefined && most !== undefined)
    return [`${format(least)} to ${format(most)}${unit}`];
  if (least !== undefined) return [`at least ${format(least)}${unit}`];
  return most === undefined ? [] : [`at most ${format(most)}${unit}`];
};
