import type { JSONSchema7, JSONSchema7Definition } from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@/contract/json";

/** Recursive schemas are cut off at this depth. */
const MAX_DEPTH = 8;
/** Schemas come from clients, who can ask for lists and texts that no memory holds. */
const MAX_VALUES = 1_000;
const MAX_TEXT_LENGTH = 1_000;

type GenerationContext = {
  question: string;
  root: JSONSchema7;
  depth: number;
  /** Values that may still be generated. */
  budget: { values: number };
};

/**
 * Generates arguments that satisfy a tool's schema: required properties only, with text taken
 * from the question where possible.
 */
export const generateArguments = (schema: JSONSchema7, question: string): JsonObject => {
  const budget = { values: MAX_VALUES };
  const value = generateValue(schema, "", { question, root: schema, depth: 0, budget });
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
};

const generateValue = (
  definition: JSONSchema7Definition,
  name: string,
  context: GenerationContext,
): JsonValue => {
  if (typeof definition === "boolean" || context.depth > MAX_DEPTH) return null;
  if (context.budget.values-- <= 0) return null;
  const schema = resolveRef(definition, context.root);
  const candidates = [
    schema.const,
    schema.default,
    ...toArray(schema.examples),
    ...toArray(schema.enum),
  ];
  const chosen = candidates.find((value) => value !== undefined);
  if (chosen !== undefined) return chosen as JsonValue;
  const deeper = { ...context, depth: context.depth + 1 };
  const branch = (schema.anyOf ?? schema.oneOf)?.find((one) => inferType(one) !== "null");
  if (branch !== undefined) return generateValue(branch, name, deeper);
  if (schema.allOf) return generateValue(mergeAllOf(schema, context.root), name, deeper);
  return generateByType(schema, name, deeper);
};

const generateByType = (
  schema: JSONSchema7,
  name: string,
  context: GenerationContext,
): JsonValue => {
  switch (inferType(schema)) {
    case "object":
      return generateObject(schema, context);
    case "array":
      return generateArray(schema, name, context);
    case "integer":
    case "number":
      return generateNumber(schema);
    case "boolean":
      return true;
    case "string":
      return generateString(schema, name, context.question);
    case undefined:
    default:
      return null;
  }
};

const generateObject = (schema: JSONSchema7, context: GenerationContext): JsonObject => {
  const required = [...new Set(schema.required)];
  return Object.fromEntries(
    required.map((key) => [key, generateValue(schema.properties?.[key] ?? {}, key, context)]),
  );
};

const generateArray = (
  schema: JSONSchema7,
  name: string,
  context: GenerationContext,
): JsonValue[] => {
  const { items, minItems = 1 } = schema;
  if (Array.isArray(items)) return items.map((item) => generateValue(item, name, context));
  return Array.from({ length: Math.min(minItems, context.budget.values) }, () =>
    generateValue(items ?? { type: "string" }, name, context),
  );
};

const generateNumber = ({
  minimum,
  exclusiveMinimum,
  maximum,
  multipleOf,
}: JSONSchema7): number => {
  const lowest = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  const number = multipleOf ? Math.ceil(lowest / multipleOf) * multipleOf : lowest;
  return maximum !== undefined && number > maximum ? maximum : number;
};

const VALUE_BY_FORMAT: Record<string, string> = {
  date: "2026-01-01",
  "date-time": "2026-01-01T12:00:00Z",
  time: "12:00:00Z",
  email: "demo@example.com",
  uri: "https://example.com",
  url: "https://example.com",
  uuid: "00000000-0000-4000-8000-000000000000",
};

const VALUE_BY_NAME: [RegExp, string][] = [
  [/url|uri|link/i, "https://example.com"],
  [/path|file|directory/i, "notes.txt"],
  [/command|cmd/i, "echo hello"],
  [/email/i, "demo@example.com"],
  [/date/i, "2026-01-01"],
];

const generateString = (schema: JSONSchema7, name: string, question: string): string => {
  const { format = "", minLength = 0, maxLength = Infinity } = schema;
  const word = /^(?:question|query|prompt|text|message|task|input|content|q)$/i.test(name)
    ? question
    : (VALUE_BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ??
      extractName(question) ??
      "example");
  return (VALUE_BY_FORMAT[format] ?? word)
    .slice(0, maxLength)
    .padEnd(Math.min(minLength, MAX_TEXT_LENGTH), "x");
};

/** Extracts quoted text or a capitalized name, such as Paris in "the weather in Paris". */
const extractName = (question: string): string | undefined =>
  /["“«]([^"”»]{1,100})["”»]/.exec(question)?.[1] ??
  /(?<=[a-z,] )\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*/u.exec(question)?.[0];

const inferType = (definition: JSONSchema7Definition): string | undefined => {
  if (typeof definition === "boolean") return undefined;
  const types = Array.isArray(definition.type) ? definition.type : [definition.type];
  const type = types.find((one) => one !== "null") ?? types[0];
  if (type !== undefined) return type;
  if (definition.properties || definition.required) return "object";
  return definition.items ? "array" : "string";
};

const mergeAllOf = (schema: JSONSchema7, root: JSONSchema7): JSONSchema7 => {
  const { allOf = [], ...rest } = schema;
  return allOf.reduce<JSONSchema7>((all, one) => {
    const part = typeof one === "boolean" ? {} : resolveRef(one, root);
    return {
      ...all,
      ...part,
      properties: { ...all.properties, ...part.properties },
      required: [...(all.required ?? []), ...(part.required ?? [])],
    };
  }, rest);
};

const resolveRef = (schema: JSONSchema7, root: JSONSchema7): JSONSchema7 => {
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(schema.$ref ?? "")?.[1];
  if (name === undefined) return schema;
  const target = root.$defs?.[name] ?? root.definitions?.[name];
  return typeof target === "object" ? target : {};
};

const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
