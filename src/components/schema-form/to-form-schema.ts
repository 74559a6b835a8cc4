import { compileSchema } from "@/contract/check-output";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { resolveRef } from "@/contract/json-pointer";
import { SUBSCHEMA_KEYWORDS, toUsableSchema } from "@/contract/usable-schema";
import { humanize } from "@/lib/humanize";
import { memoizeByObject } from "@/lib/memoize-by-object";
import { ANY_JSON, ENUM_TITLES, PATTERN_TEXT } from "./form-keywords";
import { allowsNull } from "./field-value";

/** Fields and values to select from; more make the page slow, and are too many to fill in. */
const MAX_CONTROLS = 1_000;
/** Objects and lists inside each other; deeper ones are entered as JSON. */
const MAX_DEPTH = 8;

/**
 * Creates the schema of a form from an `output_schema`: objects, lists, single values, and one level of
 * choices, as `anyOf`. It has no references and no patterns, so what reads it takes a time in proportion
 * to its size. Every other part, such as a recursive one, is a field for JSON.
 *
 * A `const` is a value that the selected option determines; all other values are entered.
 *
 * @returns undefined if the schema as a whole is not one for a form, or too large for one.
 */
export const toFormSchema = (outputSchema: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(outputSchema) ? getFormSchema(outputSchema) : undefined;

/** Once for each schema, as it is needed for each key that is pressed. */
const getFormSchema = memoizeByObject((outputSchema: JsonObject): JsonObject | undefined => {
  const root = toUsableSchema(outputSchema);
  if (!root) return undefined;
  const budget = { controls: MAX_CONTROLS };
  const start = { root, budget, depth: 0, ancestors: [], isOption: false, isInOption: false };
  const form = createField(root, start);
  return ANY_JSON in form || budget.controls < 0 ? undefined : form;
});

/** True for a usable schema that says something about the value. */
export const isConstraining = (outputSchema: JsonValue | undefined): boolean =>
  isJsonObject(outputSchema) && hasConstraints(outputSchema);

const hasConstraints = memoizeByObject((outputSchema: JsonObject): boolean =>
  Object.keys(toUsableSchema(outputSchema) ?? {}).some((keyword) => !ANNOTATIONS.has(keyword)),
);

type Context = {
  root: JsonObject;
  /** Shared by all fields of the form. */
  budget: { controls: number };
  depth: number;
  /** The schemas that contain this one, directly or by reference. */
  ancestors: readonly JsonObject[];
  /** True for an option of a choice, and for its required properties. */
  isOption: boolean;
  isInOption: boolean;
};

const createField = (schema: JsonValue, context: Context): JsonObject => {
  const { node, ancestors, isResolved } = dereference(schema, context);
  const { budget, depth } = context;
  const canBeField = isResolved && depth <= MAX_DEPTH && --budget.controls >= 0;
  const field = canBeField ? toField(node, { ...context, ancestors, depth: depth + 1 }) : undefined;
  return { ...pickTexts(node), ...(field ?? { [ANY_JSON]: getJsonType(node) }) };
};

/** Keywords that say nothing about the value. */
const ANNOTATIONS = new Set([
  ..."title description default examples deprecated readOnly writeOnly".split(" "),
  ..."$schema $id $comment $defs definitions".split(" "),
]);

/** Replaces a schema by the target of its reference, unless that contains it or is refined by it. */
const dereference = (schema: JsonValue, { root, ancestors }: Context) => {
  let node: JsonObject = isJsonObject(schema) ? schema : {};
  const path = [...ancestors, node];
  while (typeof node.$ref === "string") {
    const { $ref, ...others } = node;
    const target = resolveRef(root, $ref);
    const isRefined = Object.keys(others).some((keyword) => !ANNOTATIONS.has(keyword));
    if (!isJsonObject(target) || isRefined || path.includes(target)) {
      const texts = isJsonObject(target) ? { ...target, ...others } : others;
      return { node: texts, ancestors: path, isResolved: false };
    }
    path.push(target);
    node = { ...target, ...others };
  }
  return { node, ancestors: path, isResolved: isJsonObject(schema) };
};

/** Keywords of subschemas that a form can show. */
const FORM_KEYWORDS = new Set(
  "properties additionalProperties items anyOf oneOf $defs definitions".split(" "),
);

/** @returns undefined if no form shows what the schema says. */
const toField = (node: JsonObject, context: Context): JsonObject | undefined => {
  const keywords = Object.keys(node);
  if (keywords.some((one) => SUBSCHEMA_KEYWORDS.has(one) && !FORM_KEYWORDS.has(one)))
    return undefined;
  const values = listValues(node);
  if (values) return toEnum(node, values, context);
  const options = listOptions(node);
  if (options) return toChoice(options, context);
  return "anyOf" in node || "oneOf" in node ? undefined : toTypedField(node, context);
};

const toTypedField = (node: JsonObject, context: Context): JsonObject | undefined => {
  const { type = "properties" in node ? "object" : undefined } = node;
  if (type === "object") return toObject(node, context);
  if (type === "array") return toList(node, context);
  if (typeof type !== "string") return undefined;
  return withDefault({ type, ...pick(node, VALUE_KEYWORDS), ...pickFormat(node) }, node);
};

const listValues = ({ const: only, enum: values, type }: JsonObject): JsonValue[] | undefined => {
  if (only !== undefined) return [only];
  if (Array.isArray(values)) return values;
  return type === "null" ? [null] : undefined;
};

const toEnum = (node: JsonObject, values: JsonValue[], context: Context): JsonObject => {
  context.budget.controls -= values.length;
  const [only = null, ...others] = values;
  if (context.isOption && others.length === 0) return { const: only };
  return withDefault({ enum: values }, node);
};

/** @returns the options of `anyOf`, `oneOf` or a list of types; undefined if there is more than options. */
const listOptions = (node: JsonObject): JsonObject[] | undefined => {
  const { type, anyOf, oneOf, ...others } = node;
  const limits = Object.entries(others).filter(([keyword]) => !ANNOTATIONS.has(keyword));
  const lists = [anyOf, oneOf].filter((list) => list !== undefined);
  if (Array.isArray(type) && lists.length === 0) {
    return type.map((one) => ({ ...Object.fromEntries(limits), type: one }));
  }
  const [options] = lists;
  if (!Array.isArray(options) || !options.every(isJsonObject)) return undefined;
  if (lists.length > 1 || limits.length > 0) return undefined;
  // An option inherits the type of the choice.
  const inherited = typeof type === "string" ? { type } : {};
  return options.map((option) => ("$ref" in option ? option : { ...inherited, ...option }));
};

const toChoice = (options: JsonObject[], context: Context): JsonObject | undefined => {
  if (context.isInOption) return undefined;
  const fields = options.map((option, index): JsonObject => {
    const field = createField(option, { ...context, isOption: true, isInOption: true });
    return { ...field, title: field.title ?? createOptionTitle(option, field, index) };
  });
  if (!fields.every((field) => "const" in field)) return { anyOf: fields };
  return {
    enum: fields.map((field) => field.const ?? null),
    [ENUM_TITLES]: options.map(({ title }) => title ?? null),
  };
};

const toObject = (node: JsonObject, context: Context): JsonObject | undefined => {
  const properties = isJsonObject(node.properties) ? Object.entries(node.properties) : [];
  const required = Array.isArray(node.required) ? node.required : [];
  const isMissing = (name: JsonValue) => !properties.some(([known]) => known === name);
  if (properties.length === 0 || required.some(isMissing)) return undefined;
  // Every object has an inherited member, such as `constructor`, in the place of such a field.
  if (properties.some(([name]) => name in Object.prototype)) return undefined;
  const fields = properties.map(([name, property]): [string, JsonObject] => {
    const isOption = context.isOption && required.includes(name);
    const field = createField(property, { ...context, isOption });
    return [name, { ...field, title: field.title ?? humanize(name) }];
  });
  return { type: "object", properties: Object.fromEntries(fields), required };
};

const toList = (node: JsonObject, context: Context): JsonObject | undefined => {
  // The items of a tuple have several schemas.
  if (!isJsonObject(node.items)) return undefined;
  const items = createField(node.items, { ...context, isOption: false });
  // A new item is null until it is filled in, so null cannot be an answer.
  if (ANY_JSON in items || allowsNull(items)) return undefined;
  const isSelection = node.uniqueItems === true && Array.isArray(items.enum);
  const limits = pick(node, ["minItems", "maxItems"]);
  return { type: "array", items, ...limits, ...(isSelection && { uniqueItems: true }) };
};

const VALUE_KEYWORDS = [
  "minLength",
  "maxLength",
  "multipleOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
];

/** Formats with a field of their own, and those that are checked in a time in proportion to the text. */
const FORMATS = new Set(
  "date time date-time duration email hostname ipv4 ipv6 password uri uuid".split(" "),
);
const pickFormat = ({ type, format, writeOnly }: JsonObject): JsonObject => {
  // A text that is never shown again is a secret.
  if (type === "string" && writeOnly === true) return { format: "password" };
  return typeof format === "string" && FORMATS.has(format) ? { format } : {};
};

/** Only a single value has a default: the person sees it in its field, and so it is their answer. */
const withDefault = (field: JsonObject, { default: initial }: JsonObject): JsonObject =>
  initial !== undefined && compileSchema(field)(initial).length === 0
    ? { ...field, default: initial }
    : field;

const pick = (node: JsonObject, keywords: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([keyword]) => keywords.includes(keyword)));

const pickTexts = ({ title, description, examples, pattern }: JsonObject): JsonObject => ({
  ...(typeof title === "string" && { title }),
  ...(typeof description === "string" && { description }),
  ...(Array.isArray(examples) && { examples }),
  ...(typeof pattern === "string" && { [PATTERN_TEXT]: pattern }),
});

const getJsonType = ({ type, properties }: JsonObject): string => {
  if (properties !== undefined && type === undefined) return "object";
  return type === "object" || type === "array" ? type : "any";
};

const TITLE_BY_TYPE = new Map<JsonValue | undefined, string>([
  ["string", "Text"],
  ["number", "Number"],
  ["integer", "Whole number"],
  ["boolean", "Yes or no"],
  ["object", "Object"],
  ["array", "List"],
]);

/** @returns a constant of the option, such as "Card" for `{kind: "card", …}`, or what else names it. */
const createOptionTitle = (option: JsonObject, field: JsonObject, index: number): string => {
  const properties = isJsonObject(field.properties) ? Object.values(field.properties) : [];
  const constants = [field, ...properties].filter(isJsonObject).map((one) => one.const);
  const [constant] = constants.filter((one) => one !== undefined);
  if (constant === null) return "None (null)";
  if (constant !== undefined) return toConstantTitle(constant);
  const name = typeof option.$ref === "string" ? option.$ref.split("/").at(-1) : undefined;
  const type = field.type ?? field[ANY_JSON];
  return name === undefined ? (TITLE_BY_TYPE.get(type) ?? `Option ${index + 1}`) : humanize(name);
};

const toConstantTitle = (constant: JsonValue): string =>
  typeof constant === "string" ? humanize(constant) : JSON.stringify(constant);
