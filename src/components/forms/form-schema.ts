import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { resolveRef } from "@/contract/json-pointer";
import { toUsableSchema } from "@/contract/usable-schema";
import { humanize } from "@/lib/humanize";
import { memoizeByObject } from "@/lib/memoize-by-object";
import { hasLinearPatterns } from "./bounded-schema";
import { isTooLargeForForm } from "./form-size";
import { dereference } from "./schema-ref";

/** Keyword for the titles of the values of an `enum`. */
export const ENUM_TITLES = "x-value-names";

/** Keyword of a schema without fields. Its value is the allowed JSON type, or "any". */
export const ANY_JSON = "x-any-json";

/**
 * Normalizes an `output_schema` for the form library: every field gets a title, a list of types becomes
 * `anyOf`, and schemas without fields are marked with `ANY_JSON`.
 *
 * @returns undefined if the schema has no fields to render, or too many.
 */
export const toFormSchema = (outputSchema: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(outputSchema) ? getFormSchema(outputSchema) : undefined;

/** Once for each schema, as it is needed for each key that is pressed. */
const getFormSchema = memoizeByObject((outputSchema: JsonObject): JsonObject | undefined => {
  const usable = toUsableSchema(outputSchema);
  if (!usable || isTooLargeForForm(usable)) return undefined;
  const root = { ...usable };
  delete root.$id;
  delete root.$schema;
  // Normalization can move or remove the target of a reference, so the result is checked again.
  const normalized = toUsableSchema(normalizeSchema(root, root));
  return normalized && !(ANY_JSON in dereference(normalized, normalized)) ? normalized : undefined;
});

const normalizeSchema = (schema: JsonValue, root: JsonObject): JsonObject => {
  if (!isJsonObject(schema)) return { [ANY_JSON]: "any" };
  return normalizeNode(expandTypeList(normalizeChildren(schema, root)), root);
};

const normalizeChildren = (schema: JsonObject, root: JsonObject): JsonObject => {
  const normalized: JsonObject = { ...schema };
  for (const [keyword, value] of Object.entries(schema)) {
    const child = CHILD_NORMALIZERS.get(keyword)?.(value, root);
    if (child === null) delete normalized[keyword];
    else if (child !== undefined) normalized[keyword] = child;
  }
  return normalized;
};

/** @returns the normalized value of the keyword, undefined to keep it, null to remove it. */
type ChildNormalizer = (value: JsonValue, root: JsonObject) => JsonValue | undefined;

const normalizeMap: ChildNormalizer = (value, root) =>
  isJsonObject(value) ? mapValues(value, (child) => normalizeSchema(child, root)) : undefined;
const normalizeOptions: ChildNormalizer = (value, root) => {
  if (!Array.isArray(value)) return undefined;
  // Options such as `{required: ["a"]}` only restrict fields that the schema already has.
  return value.some(hasOwnFields) ? value.map((option) => normalizeSchema(option, root)) : null;
};
const normalizeBranch: ChildNormalizer = (value, root) =>
  isJsonObject(value) ? normalizeChildren(value, root) : undefined;

const CHILD_NORMALIZERS = new Map<string, ChildNormalizer>(
  Object.entries<ChildNormalizer>({
    properties: (value, root) =>
      isJsonObject(value)
        ? mapValues(value, (child, name) => withTitle(normalizeSchema(child, root), name, root))
        : undefined,
    // The form library applies these patterns to names, which nothing could stop.
    patternProperties: (value) => (hasLinearPatterns(value) ? undefined : null),
    $defs: normalizeMap,
    definitions: normalizeMap,
    dependentSchemas: normalizeMap,
    anyOf: normalizeOptions,
    oneOf: normalizeOptions,
    then: normalizeBranch,
    else: normalizeBranch,
    allOf: (value, root) =>
      Array.isArray(value) ? value.map((part) => normalizeBranch(part, root) ?? part) : undefined,
    items: (value, root) => (Array.isArray(value) ? undefined : normalizeSchema(value, root)),
    additionalProperties: (value, root) => {
      if (value === false) return undefined;
      return isJsonObject(value) && Object.keys(value).length > 0
        ? normalizeSchema(value, root)
        : null;
    },
  }),
);

const FIELD_KEYWORDS = "type properties enum const $ref items anyOf oneOf allOf".split(" ");
const hasOwnFields = (option: JsonValue): boolean =>
  isJsonObject(option) && FIELD_KEYWORDS.some((keyword) => keyword in option);

const withTitle = (schema: JsonObject, name: string, root: JsonObject): JsonObject => {
  const target = typeof schema.$ref === "string" ? resolveRef(root, schema.$ref) : undefined;
  const hasTitle = schema.title ?? (isJsonObject(target) ? target.title : undefined);
  return typeof hasTitle === "string" ? schema : { ...schema, title: humanize(name) };
};

/** Converts `type: ["string", "null"]` to an `anyOf` of two schemas. */
const expandTypeList = (schema: JsonObject): JsonObject => {
  const { type, title, description, default: initial, ...keywords } = schema;
  if (!Array.isArray(type)) return schema;
  if (type.length === 1) return { ...schema, type: type[0] ?? null };
  const annotations = omitUndefined({ title, description, default: initial });
  if (Array.isArray(schema.enum)) return { ...keywords, ...annotations };
  return { ...annotations, anyOf: type.map((one) => ({ ...keywords, type: one })) };
};

/** Infers a missing type, converts constants to an `enum`, and marks schemas without fields. */
const normalizeNode = (schema: JsonObject, root: JsonObject): JsonObject => {
  const { const: only, ...rest } = schema;
  if (only !== undefined) return normalizeNode({ ...rest, enum: [only] }, root);
  if (Array.isArray(schema.enum) || typeof schema.$ref === "string") return schema;
  for (const keyword of ["anyOf", "oneOf"]) {
    const options = schema[keyword];
    if (!Array.isArray(options)) continue;
    const values = toEnum(options);
    if (!values) {
      return {
        ...schema,
        [keyword]: options.map((option, index) => withOptionTitle(option, index, root)),
      };
    }
    const annotations = { ...schema };
    delete annotations[keyword];
    delete annotations.type;
    return { ...annotations, ...values };
  }
  const type = typeof schema.type === "string" ? schema.type : inferType(schema);
  return hasFields(type, schema) ? { ...schema, type: type ?? null } : toAnyJson(type, schema);
};

/** Converts `[{const: 1, title: "Low"}, …]` to an `enum` with titles. */
const toEnum = (options: JsonValue[]): JsonObject | undefined => {
  const values: JsonValue[] = [];
  const names: JsonValue[] = [];
  for (const option of options) {
    const only = isJsonObject(option) && Array.isArray(option.enum) ? option.enum : [];
    if (!isJsonObject(option) || only.length !== 1) return undefined;
    values.push(...only);
    names.push(option.title ?? null);
  }
  return { enum: values, [ENUM_TITLES]: names };
};

const inferType = (schema: JsonObject): string | undefined =>
  TYPE_BY_KEYWORD.find(([keyword]) => keyword in schema)?.[1];

const TYPE_BY_KEYWORD: [keyword: string, type: string][] = [
  ["properties", "object"],
  ["additionalProperties", "object"],
  ["required", "object"],
  ["allOf", "object"],
  ["items", "array"],
  ["minItems", "array"],
  ["minLength", "string"],
  ["maxLength", "string"],
  ["pattern", "string"],
  ["format", "string"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["multipleOf", "number"],
];

const hasFields = (type: string | undefined, schema: JsonObject): boolean => {
  // A tuple is entered as JSON, because its items have different schemas.
  if (type === "array") return isJsonObject(schema.items) && !("prefixItems" in schema);
  if (type !== "object") return type !== undefined;
  return ["properties", "allOf", "if", "dependentSchemas"].some((keyword) => keyword in schema)
    ? true
    : isJsonObject(schema.additionalProperties);
};

const toAnyJson = (type: string | undefined, schema: JsonObject): JsonObject => {
  const { title, description, default: initial } = schema;
  return omitUndefined({ title, description, default: initial, [ANY_JSON]: type ?? "any" });
};

const TITLE_BY_TYPE = new Map([
  ["string", "Text"],
  ["number", "Number"],
  ["integer", "Whole number"],
  ["boolean", "Yes or no"],
  ["object", "Object"],
  ["array", "List"],
  ["null", "None (null)"],
]);

/** Adds a title to an option that has none. */
const withOptionTitle = (option: JsonValue, index: number, root: JsonObject): JsonValue => {
  if (!isJsonObject(option) || typeof option.title === "string") return option;
  const target = dereference(option, root);
  if (typeof target.title === "string") return option;
  const title =
    findDiscriminator(target) ??
    (typeof option.$ref === "string" ? humanize(option.$ref.split("/").at(-1) ?? "") : undefined) ??
    TITLE_BY_TYPE.get(typeof target.type === "string" ? target.type : "") ??
    `Option ${index + 1}`;
  return { ...option, title };
};

/** @returns the constant that distinguishes an option: "Card" for `{kind: "card", …}`. */
const findDiscriminator = (option: JsonObject): string | undefined => {
  if (Array.isArray(option.enum)) return formatConstant(option);
  const properties = isJsonObject(option.properties) ? Object.values(option.properties) : [];
  const discriminator = properties
    .map((property) => formatConstant(property))
    .find((word) => word !== undefined);
  return discriminator === undefined ? undefined : humanize(discriminator);
};

const formatConstant = (schema: JsonValue): string | undefined => {
  if (!isJsonObject(schema)) return undefined;
  const values = Array.isArray(schema.enum) ? schema.enum : [schema.const];
  const [only] = values;
  if (values.length !== 1 || only === undefined) return undefined;
  return typeof only === "string" ? only : JSON.stringify(only);
};

const mapValues = (
  object: JsonObject,
  change: (value: JsonValue, key: string) => JsonValue,
): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

const omitUndefined = (object: { [key: string]: JsonValue | undefined }): JsonObject =>
  Object.fromEntries(
    Object.entries(object).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
