import { compileSchema } from "@/contract/check-output";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { toUsableSchema } from "@/contract/usable-schema";
import { humanize } from "@/lib/humanize";
import { memoizeByObject } from "@/lib/memoize-by-object";
import {
  createOptionTitle,
  getJsonType,
  isNull,
  listOptions,
  listTitles,
  listValues,
  type Option,
} from "./choice-nodes";
import { countControls } from "./initial-value";
import {
  ANY_JSON,
  ENUM_TITLES,
  JSON_REASON,
  KEY_PATTERN,
  NULLABLE,
  SELECTION,
} from "./form-keywords";
import { findMap, listConditions, listProperties } from "./object-nodes";
import { pickKeywords, pickTexts, VALUE_KEYWORDS } from "./pick-keywords";
import { isConstraint, type Place, type ResolvedNode, resolveNode } from "./schema-nodes";
import { pickTextKind } from "./text-kinds";

/** Fields and values to select from; more make the page slow, and are too many to fill in. */
const MAX_CONTROLS = 1_000;
/** References and parts that are followed for a form. */
const MAX_PARTS = 10_000;
/** Objects and lists inside each other; deeper ones are entered as JSON. */
const MAX_DEPTH = 8;
/** Levels of a schema that contains itself; fewer if its form would be too large. */
const LEVELS = [3, 1];

/**
 * Creates the schema of a form from an `output_schema`: objects, maps, lists, single values, choices and simple
 * conditions. It has no references and no patterns, so what reads it takes a time in proportion to its size. What
 * only restricts a value is left to the server. Every other part is a field for JSON, with the reason.
 *
 * A `const` is a value that the selected option determines; all other values are entered.
 *
 * @returns undefined if the schema as a whole is not one for a form, or too large for one.
 */
export const toFormSchema = (outputSchema: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(outputSchema) ? getForm(outputSchema).form : undefined;

/** @returns why an `output_schema` has no form, as a sentence; undefined if it has one. */
export const explainMissingForm = (outputSchema: JsonValue | undefined): string | undefined =>
  isJsonObject(outputSchema) ? getForm(outputSchema).reason : undefined;

type Form = { form?: JsonObject; reason?: string };

/** Once for each schema, as it is needed for each key that is pressed. */
const getForm = memoizeByObject((outputSchema: JsonObject): Form => {
  const root = toUsableSchema(outputSchema);
  if (!root) return { reason: "Its schema has a mistake." };
  const forms = LEVELS.map((levels) => createForm(root, levels));
  return forms.find(({ form }) => form !== undefined) ?? forms[0] ?? {};
});

const createForm = (root: JsonObject, maxRepeats: number): Form => {
  const budget = { controls: MAX_CONTROLS, parts: MAX_PARTS };
  const start = { root, budget, maxRepeats, depth: 0, ancestors: [], isOption: false };
  const form = createField(root, start);
  if (budget.controls < 0 || budget.parts < 0) return { reason: "It has too many fields." };
  if (!(ANY_JSON in form)) return { form };
  const reason = form[JSON_REASON];
  return { reason: typeof reason === "string" ? reason : "Its schema does not say what is in it." };
};

/** True for a usable schema that says something about the value. */
export const isConstraining = (outputSchema: JsonValue | undefined): boolean =>
  isJsonObject(outputSchema) && hasConstraints(outputSchema);

const hasConstraints = memoizeByObject((outputSchema: JsonObject): boolean =>
  Object.keys(toUsableSchema(outputSchema) ?? {}).some(isConstraint),
);

type Context = Place & {
  /** Shared by all fields of the form. */
  budget: { controls: number; parts: number };
  depth: number;
  /** True for an option of a choice, and for its properties that name it. */
  isOption: boolean;
  /** The property by whose value the options differ. */
  discriminator?: JsonValue | undefined;
};

/** A field, or why no form can show it, as a sentence; empty for what needs no reason. */
type Created = JsonObject | string;

const createField = (schema: JsonValue, context: Context): JsonObject => {
  const resolved = resolveNode(schema, context);
  const { node, ancestors, reason } = resolved;
  const created =
    reason ?? createKind(resolved, { ...context, ancestors, depth: context.depth + 1 });
  const texts = pickTexts(node);
  if (typeof created === "string") {
    const reasons = created === "" ? {} : { [JSON_REASON]: created };
    return withDefault({ ...texts, [ANY_JSON]: getJsonType(node), ...reasons }, node, context);
  }
  if ("const" in created) return { ...texts, ...created };
  const field = withDefault({ ...created, ...texts }, node, context);
  const fixed = field.default ?? node.const;
  return node.readOnly === true && fixed !== undefined
    ? { ...texts, enum: [fixed], default: fixed, readOnly: true }
    : field;
};

const createKind = (resolved: ResolvedNode, context: Context): Created => {
  if (context.depth > MAX_DEPTH + 1 || --context.budget.controls < 0) {
    return "It is too deep inside of others for a form.";
  }
  const { node } = resolved;
  const values = listValues(node);
  if (values) return createEnum(node, values, context);
  const options = listOptions(node);
  if (options) return createChoice(options, node, context);
  const { type = impliedType(node) } = node;
  if (type === "object") return createObject(resolved, context);
  if (type === "array") return createList(node, context);
  if (typeof type !== "string") return "";
  return {
    type,
    ...pickKeywords(node, VALUE_KEYWORDS),
    ...(type === "string" && pickTextKind(node)),
  };
};

const impliedType = (node: JsonObject): JsonValue | undefined => {
  if ("properties" in node) return "object";
  return "prefixItems" in node ? "array" : undefined;
};

const createEnum = (node: JsonObject, values: JsonValue[], context: Context): JsonObject => {
  context.budget.controls -= values.length;
  const [only = null, ...others] = values;
  if (context.isOption && others.length === 0) return { const: only };
  const titles = listTitles(node);
  return {
    enum: values,
    ...(titles && { [ENUM_TITLES]: values.map((_value, index) => titles[index] ?? null) }),
  };
};

const toNullable = (field: JsonObject): JsonObject => ({
  anyOf: [field, { const: null }],
  [NULLABLE]: true,
});

const createChoice = (options: Option[], node: JsonObject, context: Context): Created => {
  const [only, ...others] = options.filter((option) => !isNull(option));
  if (!only || others.length > 0) {
    const discriminator = findDiscriminator(node);
    return joinOptions(options, { ...context, isOption: true, discriminator });
  }
  const field = createField(only.schema, { ...context, isOption: false });
  return options.length > 1 ? toNullable(field) : field;
};

const findDiscriminator = ({ discriminator }: JsonObject): JsonValue | undefined =>
  isJsonObject(discriminator) ? discriminator.propertyName : undefined;

const joinOptions = (options: Option[], context: Context): JsonObject => {
  const fields = options.map(({ schema }) => createField(schema, context));
  if (fields.every((field) => "const" in field)) {
    return {
      enum: fields.map((field) => field.const ?? null),
      [ENUM_TITLES]: fields.map(({ title }) => title ?? null),
    };
  }
  return {
    anyOf: fields.map((field, index): JsonObject => {
      const written = options[index]?.written ?? {};
      return { ...field, title: field.title ?? createOptionTitle(written, field, index) };
    }),
  };
};

const createObject = ({ node, conditions }: ResolvedNode, context: Context): Created => {
  const properties = listProperties(node);
  const required = Array.isArray(node.required) ? node.required : [];
  const branches = listConditions(node, conditions);
  if (properties.length === 0 && branches.length === 0) return createMap(node, context);
  // Every object has an inherited member, such as `constructor`, in the place of such a field.
  if (properties.some(([name]) => name in Object.prototype)) return "One of its names is reserved.";
  const fields = createFields(properties, required, context);
  const allOf = branches.map(({ if: condition, branches: [then, otherwise] }): JsonObject => {
    const toBranch = (branch: JsonValue) => createBranch(branch, fields, context);
    return { if: condition, then: toBranch(then), else: toBranch(otherwise) };
  });
  const known = new Set<JsonValue>(
    [fields, ...allOf.flatMap(listBranchFields)].flatMap((one) => Object.keys(one)),
  );
  if (required.some((name) => !known.has(name)))
    return "It needs fields that it does not describe.";
  return { type: "object", properties: fields, required, ...(allOf.length > 0 && { allOf }) };
};

const listBranchFields = (condition: JsonObject): JsonObject[] =>
  [condition.then, condition.else]
    .map((branch) => isJsonObject(branch) && branch.properties)
    .filter((fields) => fields !== false)
    .filter(isJsonObject);

const createFields = (
  properties: readonly (readonly [string, JsonValue])[],
  required: readonly JsonValue[],
  context: Context,
): JsonObject =>
  Object.fromEntries(
    properties.map(([name, property]) => {
      const names = required.includes(name) || name === context.discriminator || isNamed(property);
      const isOption = context.isOption && names;
      const field = createField(property, { ...context, isOption, discriminator: undefined });
      return [name, { ...field, title: field.title ?? humanize(name) }];
    }),
  );

/** Whether the only value of a property is its default, as of the type of an option. */
const isNamed = (property: JsonValue): boolean =>
  isJsonObject(property) && property.const !== undefined && property.const === property.default;

/** The fields that an object has by a condition; those that it has anyway may only become required. */
const createBranch = (branch: JsonValue, known: JsonObject, context: Context): JsonObject => {
  const { node } = resolveNode(branch, context);
  const required = Array.isArray(node.required) ? node.required : [];
  const described = listProperties(node);
  const names = required.filter((name) => typeof name === "string");
  const undescribed = names
    .filter((name) => !described.some(([other]) => other === name))
    .map((name): [string, JsonValue] => [name, {}]);
  const added = [...described, ...undescribed].filter(
    ([name]) => !Object.hasOwn(known, name) && !(name in Object.prototype),
  );
  return { properties: createFields(added, required, { ...context, isOption: false }), required };
};

const createMap = (node: JsonObject, context: Context): Created => {
  const map = findMap(node);
  if (!map || (Array.isArray(node.required) && node.required.length > 0)) return "";
  return {
    type: "object",
    additionalProperties: createField(map.values, { ...context, isOption: false }),
    ...pickKeywords(node, ["minProperties", "maxProperties"]),
    ...(map.pattern !== undefined && { [KEY_PATTERN]: map.pattern }),
  };
};

const createList = (node: JsonObject, context: Context): Created => {
  const inner = { ...context, isOption: false };
  const places = node.prefixItems ?? node.items;
  if (Array.isArray(places)) return createTuple(node, places, inner);
  if (!isJsonObject(node.items)) return "";
  const items = createField(node.items, inner);
  if (ANY_JSON in items) return typeof items[JSON_REASON] === "string" ? items[JSON_REASON] : "";
  const limits = pickKeywords(node, ["minItems", "maxItems"]);
  return { type: "array", items, ...limits, ...pickSelection(node, items) };
};

/** The values of an `enum` are selected, unless one may be needed twice. */
const pickSelection = (node: JsonObject, { enum: values }: JsonObject): JsonObject => {
  if (!Array.isArray(values)) return {};
  if (node.uniqueItems === true) return { uniqueItems: true, [SELECTION]: true };
  const { minItems, maxItems, default: initial } = node;
  const count = Math.max(Number(minItems ?? 0), Number(maxItems ?? 0));
  const isRepeated = Array.isArray(initial) && new Set(initial).size < initial.length;
  return count > values.length || isRepeated ? {} : { [SELECTION]: true };
};

const createTuple = (node: JsonObject, places: JsonValue[], context: Context): Created => {
  const others = node.prefixItems ? node.items : node.additionalItems;
  if (isJsonObject(others) && Object.keys(others).some(isConstraint)) {
    return "Its items are of several kinds, and it may have more of them.";
  }
  const prefixItems = places.map((place, index): JsonObject => {
    const field = createField(place, context);
    return { ...field, title: field.title ?? `Item ${index + 1}` };
  });
  const size = prefixItems.length;
  return { type: "array", prefixItems, minItems: size, maxItems: size };
};

/** A default is an answer as the person sees all of it, so one that fields would not show is none. */
const withDefault = (field: JsonObject, node: JsonObject, { budget }: Context): JsonObject => {
  const { default: initial } = node;
  if (initial === undefined) return field;
  const count = countControls(field, initial);
  if (count > budget.controls || compileSchema(field)(initial).length > 0) return field;
  if (typeof initial === "object") budget.controls -= count;
  return { ...field, default: initial };
};
