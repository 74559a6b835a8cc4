import { isJsonObject, type JsonObject, type JsonValue } from "@/contract/json";
import { resolveRef } from "@/contract/json-pointer";
import { toUsableSchema } from "@/contract/usable-schema";
import { humanize } from "@/lib/humanize";
import { withoutRef } from "./schema-ref";

/** Holds the names of an `enum`'s values, where their author gave them names. */
export const VALUE_NAMES = "x-value-names";

/** Marks a place for which no fields can be made: any JSON of the type that is its value, or any at all. */
export const ANY_JSON = "x-any-json";

/**
 * An `output_schema` in the shape that the form library draws best: every field has a title, a choice
 * of types is a choice of schemas, and what has no fields of its own is marked as free JSON.
 *
 * @returns undefined when no form can be made of it.
 */
export const formSchema = (outputSchema: JsonValue | undefined): JsonObject | undefined => {
  const usable = toUsableSchema(outputSchema);
  if (!usable) return undefined;
  const root = { ...usable };
  delete root.$id;
  delete root.$schema;
  // What a reference leads to may have another place now, or none.
  const drawn = toUsableSchema(draw(root, root));
  return drawn && !(ANY_JSON in withoutRef(drawn, drawn)) ? drawn : undefined;
};

const draw = (schema: JsonValue, root: JsonObject): JsonObject => {
  if (!isJsonObject(schema)) return { [ANY_JSON]: "any" };
  return settle(typesAsOptions(drawChildren(schema, root)), root);
};

const drawChildren = (schema: JsonObject, root: JsonObject): JsonObject => {
  const drawn: JsonObject = { ...schema };
  for (const [keyword, value] of Object.entries(schema)) {
    const child = DRAW_CHILD.get(keyword)?.(value, root);
    if (child === null) delete drawn[keyword];
    else if (child !== undefined) drawn[keyword] = child;
  }
  return drawn;
};

/** @returns the drawn value of the keyword, undefined to leave it alone, null to drop it. */
type DrawChild = (value: JsonValue, root: JsonObject) => JsonValue | undefined;

const drawMap: DrawChild = (value, root) =>
  isJsonObject(value) ? mapValues(value, (child) => draw(child, root)) : undefined;
const drawOptions: DrawChild = (value, root) => {
  if (!Array.isArray(value)) return undefined;
  // Options such as `{required: ["a"]}` only restrict what the schema has fields for already.
  return value.some(hasOwnFields) ? value.map((option) => draw(option, root)) : null;
};
const drawPart: DrawChild = (value, root) =>
  isJsonObject(value) ? drawChildren(value, root) : undefined;

const DRAW_CHILD = new Map<string, DrawChild>(
  Object.entries<DrawChild>({
    properties: (value, root) =>
      isJsonObject(value)
        ? mapValues(value, (child, name) => titled(draw(child, root), name, root))
        : undefined,
    $defs: drawMap,
    definitions: drawMap,
    dependentSchemas: drawMap,
    anyOf: drawOptions,
    oneOf: drawOptions,
    then: drawPart,
    else: drawPart,
    allOf: (value, root) =>
      Array.isArray(value) ? value.map((part) => drawPart(part, root) ?? part) : undefined,
    items: (value, root) => (Array.isArray(value) ? undefined : draw(value, root)),
    additionalProperties: (value, root) => {
      if (value === false) return undefined;
      return isJsonObject(value) && Object.keys(value).length > 0 ? draw(value, root) : null;
    },
  }),
);

const FIELD_KEYWORDS = "type properties enum const $ref items anyOf oneOf allOf".split(" ");
const hasOwnFields = (option: JsonValue): boolean =>
  isJsonObject(option) && FIELD_KEYWORDS.some((keyword) => keyword in option);

const titled = (schema: JsonObject, name: string, root: JsonObject): JsonObject => {
  const target = typeof schema.$ref === "string" ? resolveRef(root, schema.$ref) : undefined;
  const hasTitle = schema.title ?? (isJsonObject(target) ? target.title : undefined);
  return typeof hasTitle === "string" ? schema : { ...schema, title: humanize(name) };
};

/** `type: ["string", "null"]` is a choice of two schemas. */
const typesAsOptions = (schema: JsonObject): JsonObject => {
  const { type, title, description, default: start, ...keywords } = schema;
  if (!Array.isArray(type)) return schema;
  if (type.length === 1) return { ...schema, type: type[0] ?? null };
  const about = withoutUndefined({ title, description, default: start });
  if (Array.isArray(schema.enum)) return { ...keywords, ...about };
  return { ...about, anyOf: type.map((one) => ({ ...keywords, type: one })) };
};

/** Gives a schema without a type the one that it means, and marks what has no fields. */
const settle = (schema: JsonObject, root: JsonObject): JsonObject => {
  const { const: only, ...rest } = schema;
  if (only !== undefined) return settle({ ...rest, enum: [only] }, root);
  if (Array.isArray(schema.enum) || typeof schema.$ref === "string") return schema;
  for (const keyword of ["anyOf", "oneOf"]) {
    const options = schema[keyword];
    if (!Array.isArray(options)) continue;
    const values = asValues(options);
    if (!values) {
      return { ...schema, [keyword]: options.map((option, index) => named(option, index, root)) };
    }
    const about = { ...schema };
    delete about[keyword];
    delete about.type;
    return { ...about, ...values };
  }
  const type = typeof schema.type === "string" ? schema.type : impliedType(schema);
  return hasFields(type, schema) ? { ...schema, type: type ?? null } : anyJson(type, schema);
};

/** `[{const: 1, title: "Low"}, …]` is a list of values with names. */
const asValues = (options: JsonValue[]): JsonObject | undefined => {
  const values: JsonValue[] = [];
  const names: JsonValue[] = [];
  for (const option of options) {
    const only = isJsonObject(option) && Array.isArray(option.enum) ? option.enum : [];
    if (!isJsonObject(option) || only.length !== 1) return undefined;
    values.push(...only);
    names.push(option.title ?? null);
  }
  return { enum: values, [VALUE_NAMES]: names };
};

const impliedType = (schema: JsonObject): string | undefined =>
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
  // A tuple, whose items differ by place, is written as JSON.
  if (type === "array") return isJsonObject(schema.items) && !("prefixItems" in schema);
  if (type !== "object") return type !== undefined;
  return ["properties", "allOf", "if", "dependentSchemas"].some((keyword) => keyword in schema)
    ? true
    : isJsonObject(schema.additionalProperties);
};

const anyJson = (type: string | undefined, schema: JsonObject): JsonObject => {
  const { title, description, default: start } = schema;
  return withoutUndefined({ title, description, default: start, [ANY_JSON]: type ?? "any" });
};

const TYPE_TITLE = new Map([
  ["string", "Text"],
  ["number", "Number"],
  ["integer", "Whole number"],
  ["boolean", "Yes or no"],
  ["object", "Object"],
  ["array", "List"],
  ["null", "None (null)"],
]);

/** What an option is called when its author gave it no title. */
const named = (option: JsonValue, index: number, root: JsonObject): JsonValue => {
  if (!isJsonObject(option) || typeof option.title === "string") return option;
  const target = withoutRef(option, root);
  if (typeof target.title === "string") return option;
  const title =
    kindOf(target) ??
    (typeof option.$ref === "string" ? humanize(option.$ref.split("/").at(-1) ?? "") : undefined) ??
    TYPE_TITLE.get(typeof target.type === "string" ? target.type : "") ??
    `Option ${index + 1}`;
  return { ...option, title };
};

/** Of `{kind: "card", …}` and `{kind: "cash", …}`, the word that tells them apart. */
const kindOf = (option: JsonObject): string | undefined => {
  if (Array.isArray(option.enum)) return onlyWord(option);
  const properties = isJsonObject(option.properties) ? Object.values(option.properties) : [];
  const kind = properties.map((property) => onlyWord(property)).find((word) => word !== undefined);
  return kind === undefined ? undefined : humanize(kind);
};

const onlyWord = (schema: JsonValue): string | undefined => {
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

const withoutUndefined = (object: { [key: string]: JsonValue | undefined }): JsonObject =>
  Object.fromEntries(
    Object.entries(object).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
