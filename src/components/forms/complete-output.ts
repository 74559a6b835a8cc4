import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { MAX_TOOL_SCHEMA_DEPTH } from "@/contract/limits";
import { dereference, mergeSchemas, resolveRefChain } from "./schema-ref";
import { validateSubschema } from "./validate-subschema";
import { spendWork, withWorkBudget } from "./work-budget";

/**
 * Completes the value of a form to the output that is submitted. Required fields get an empty value: an
 * unticked checkbox is `false`, an empty text is `""`, an empty list is `[]`. Optional fields without a
 * value are omitted.
 *
 * @returns undefined if a required number or choice has no value.
 */
export const completeOutput = (
  schema: JsonObject,
  value: JsonValue | undefined,
): JsonValue | undefined =>
  withWorkBudget(() =>
    completeValue({ schema, value, userValue: value, required: true }, createContext(schema)),
  );

/** Creates the initial value of a form from the defaults of its schema. */
export const createInitialOutput = (schema: JsonObject): JsonValue | undefined =>
  createInitialValue(schema, schema);

/** Creates the initial value of a subschema, such as the selected option of a choice. */
export const createInitialValue = (
  schema: JsonValue | undefined,
  root: JsonObject,
): JsonValue | undefined =>
  schema === undefined
    ? undefined
    : withWorkBudget(() =>
        completeValue(
          { schema, value: undefined, userValue: undefined, required: true },
          { ...createContext(root), shouldUseDefaults: true },
        ),
      );

/** @returns the index of the option with the fewest errors for the value; the first one if several have. */
export const findClosestOption = (
  options: JsonValue[],
  value: JsonValue | undefined,
  root: JsonObject,
): number =>
  withWorkBudget(() => findClosestIndex(options, { value, userValue: value }, createContext(root)));

const findClosestIndex = (options: JsonValue[], entry: Entry, context: Context): number => {
  const { value } = entry;
  if (value === undefined) return 0;
  const { root } = context;
  const errorCounts = options.map((option) => {
    const field = { ...entry, schema: option, required: true };
    const errors = validateSubschema(
      option,
      completeValue(field, { ...context, shouldUseDefaults: false }),
      root,
    );
    // A value of another type has only one error, but does not match the option at all.
    const isMismatch =
      errors.some(({ pointer }) => pointer === "") || hasOtherConstant(option, value, root);
    return isMismatch ? Number.MAX_SAFE_INTEGER : errors.length;
  });
  return Math.max(0, errorCounts.indexOf(Math.min(...errorCounts)));
};

/** True if a field has another value than the only one that the option allows for it. */
const hasOtherConstant = (option: JsonValue, value: JsonValue, root: JsonObject): boolean => {
  const { properties } = dereference(option, root);
  if (!isJsonObject(properties) || !isJsonObject(value)) return false;
  return Object.entries(properties).some(([name, property]) => {
    const constant = readConstant(dereference(property, root));
    return constant !== undefined && Object.hasOwn(value, name) && value[name] !== constant;
  });
};

const readConstant = ({ enum: values }: JsonObject): JsonValue | undefined =>
  Array.isArray(values) && values.length === 1 ? values[0] : undefined;

type Entry = {
  value: JsonValue | undefined;
  /** The value from the person, before defaults and empty values were added. */
  userValue: JsonValue | undefined;
};
type Field = Entry & { schema: JsonValue | undefined; required: boolean };
type Context = {
  root: JsonObject;
  depth: number;
  /** True to use the defaults of the schema for missing values. */
  shouldUseDefaults: boolean;
  /** The schemas on the path since the last value from the person. */
  ancestors: readonly JsonObject[];
};

const createContext = (root: JsonObject): Context => ({
  root,
  depth: 0,
  shouldUseDefaults: false,
  ancestors: [],
});

const completeValue = (field: Field, context: Context): JsonValue | undefined => {
  if (context.depth > MAX_TOOL_SCHEMA_DEPTH || !spendWork()) return field.value;
  const chain = resolveRefChain(field.schema, context.root);
  const isRecursive = chain.some((schema) => context.ancestors.includes(schema));
  // A recursive schema stays empty until a person adds a level; completing it would never end.
  if (isRecursive && field.value === undefined) return undefined;
  const schema = mergeSchemas(chain);
  const value =
    field.value === undefined && context.shouldUseDefaults ? schema.default : field.value;
  if (value === undefined && !field.required && !context.shouldUseDefaults) return undefined;
  const childContext = {
    ...context,
    depth: context.depth + 1,
    ancestors: [...context.ancestors, ...chain],
  };
  const own = completeOwnValue({ ...field, schema, value }, childContext);
  return listApplicableSubschemas(schema, { ...field, value: own }, childContext).reduce<
    JsonValue | undefined
  >(
    (completed, branch) =>
      completeValue({ ...field, schema: branch, value: completed }, childContext),
    own,
  );
};

type ResolvedField = Field & { schema: JsonObject };

const completeOwnValue = (field: ResolvedField, context: Context): JsonValue | undefined => {
  const { schema, required } = field;
  const type = schema.type ?? (isJsonObject(schema.properties) ? "object" : "any");
  const initial = required ? createEmptyValue(type, schema) : undefined;
  const value = field.value === undefined ? initial : field.value;
  if (Array.isArray(schema.enum)) return value;
  if (type === "array") return completeList({ ...field, value }, context);
  if (type === "object") return completeObject(field, context);
  // JSON has no infinity; `JSON.stringify` would write null.
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
};

/** Creates the value of a required field that has none. */
const createEmptyValue = (type: JsonValue, schema: JsonObject): JsonValue | undefined => {
  if (Array.isArray(schema.enum)) return readConstant(schema);
  if (type === "boolean") return false;
  if (type === "null") return null;
  if (type === "array") return [];
  return type === "string" && canBeEmpty(schema) ? "" : undefined;
};

const canBeEmpty = ({ minLength, format, pattern }: JsonObject): boolean =>
  (minLength === undefined || minLength === 0) && format === undefined && pattern === undefined;

const completeList = (
  { schema, value, userValue }: ResolvedField,
  context: Context,
): JsonValue | undefined => {
  if (!Array.isArray(value)) return value;
  const userItems = Array.isArray(userValue) ? userValue : [];
  return value.map((item, index) => {
    // The form library and JSON write an item without a value as null.
    const isMissing =
      item === null && validateSubschema(schema.items ?? true, null, context.root).length > 0;
    const entry = { value: isMissing ? undefined : item, userValue: userItems[index] };
    return (
      completeValue(
        { ...entry, schema: schema.items, required: true },
        enterEntry(entry, context),
      ) ?? null
    );
  });
};

/** A value from the person ends somewhere, so below it a schema may repeat. */
const enterEntry = ({ userValue }: Entry, context: Context): Context =>
  userValue === undefined ? context : { ...context, ancestors: [] };

const completeObject = (field: ResolvedField, context: Context): JsonValue | undefined => {
  const { value, required } = field;
  if (value !== undefined && !isJsonObject(value)) return value;
  const isUnfilled = isBlank(value);
  if (isUnfilled && !required && !context.shouldUseDefaults) return undefined;
  const fields = listFields(field, value ?? {}).map(([name, field]): [string, Field] => [
    name,
    { ...field, required: field.required && (required || !isUnfilled) },
  ]);
  const completed: JsonObject = {};
  for (const [name, field] of fields) {
    const content = completeValue(field, enterEntry(field, context));
    if (content !== undefined) completed[name] = content;
  }
  return !required && Object.keys(completed).length === 0 ? undefined : completed;
};

const listFields = (
  { schema, userValue }: ResolvedField,
  value: JsonObject,
): [name: string, field: Field][] => {
  const userFields = isJsonObject(userValue) ? userValue : {};
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return [...new Set([...Object.keys(properties), ...Object.keys(value)])].map((name) => [
    name,
    {
      schema: getOwnValue(properties, name) ?? schema.additionalProperties,
      value: getOwnValue(value, name),
      userValue: getOwnValue(userFields, name),
      required: required.includes(name),
    },
  ]);
};

const getOwnValue = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** True for objects without values: the form library keeps the keys of cleared fields. */
const isBlank = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  (isJsonObject(value) && Object.values<JsonValue | undefined>(value).every(isBlank));

const listApplicableSubschemas = (
  schema: JsonObject,
  entry: Entry,
  context: Context,
): JsonValue[] => {
  const options = schema.anyOf ?? schema.oneOf;
  const chosen = Array.isArray(options)
    ? options[findClosestIndex(options, entry, context)]
    : undefined;
  const isConditionMet =
    schema.if !== undefined && validateSubschema(schema.if, entry.value, context.root).length === 0;
  const conditional =
    schema.if === undefined ? undefined : isConditionMet ? schema.then : schema.else;
  const parts = Array.isArray(schema.allOf) ? schema.allOf : [];
  return [...parts, chosen, conditional].filter((branch) => branch !== undefined);
};
