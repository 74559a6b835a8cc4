import type { JSONSchema7, JSONSchema7Definition } from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@/contract/json";

/** Schemas that refer to themselves end here. */
const MAX_DEPTH = 8;

type Maker = { question: string; root: JSONSchema7; depth: number };

/**
 * Arguments that a tool's schema accepts: what is required, and nothing else. Text comes from
 * the question where it has something to offer.
 */
export const demoArguments = (schema: JSONSchema7, question: string): JsonObject => {
  const value = make(schema, "", { question, root: schema, depth: 0 });
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
};

const make = (definition: JSONSchema7Definition, name: string, maker: Maker): JsonValue => {
  if (typeof definition === "boolean" || maker.depth > MAX_DEPTH) return null;
  const schema = resolve(definition, maker.root);
  const given = [schema.const, schema.default, ...listOf(schema.examples), ...listOf(schema.enum)];
  const chosen = given.find((value) => value !== undefined);
  if (chosen !== undefined) return chosen as JsonValue;
  const deeper = { ...maker, depth: maker.depth + 1 };
  const branch = (schema.anyOf ?? schema.oneOf)?.find((one) => typeOf(one) !== "null");
  if (branch !== undefined) return make(branch, name, deeper);
  if (schema.allOf) return make(joined(schema, maker.root), name, deeper);
  return ofType(schema, name, deeper);
};

const ofType = (schema: JSONSchema7, name: string, maker: Maker): JsonValue => {
  switch (typeOf(schema)) {
    case "object":
      return makeObject(schema, maker);
    case "array":
      return makeArray(schema, name, maker);
    case "integer":
    case "number":
      return makeNumber(schema);
    case "boolean":
      return true;
    case "string":
      return makeString(schema, name, maker.question);
    case undefined:
    default:
      return null;
  }
};

const makeObject = (schema: JSONSchema7, maker: Maker): JsonObject => {
  const required = schema.required ?? [];
  return Object.fromEntries(
    required.map((key) => [key, make(schema.properties?.[key] ?? {}, key, maker)]),
  );
};

const makeArray = (schema: JSONSchema7, name: string, maker: Maker): JsonValue[] => {
  const { items, minItems = 1 } = schema;
  if (Array.isArray(items)) return items.map((item) => make(item, name, maker));
  return Array.from({ length: minItems }, () => make(items ?? { type: "string" }, name, maker));
};

const makeNumber = ({ minimum, exclusiveMinimum, maximum, multipleOf }: JSONSchema7): number => {
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  const number = multipleOf ? Math.ceil(least / multipleOf) * multipleOf : least;
  return maximum !== undefined && number > maximum ? maximum : number;
};

const BY_FORMAT: Record<string, string> = {
  date: "2026-01-01",
  "date-time": "2026-01-01T12:00:00Z",
  time: "12:00:00Z",
  email: "demo@example.com",
  uri: "https://example.com",
  url: "https://example.com",
  uuid: "00000000-0000-4000-8000-000000000000",
};

const BY_NAME: [RegExp, string][] = [
  [/url|uri|link/i, "https://example.com"],
  [/path|file|directory/i, "notes.txt"],
  [/command|cmd/i, "echo hello"],
  [/email/i, "demo@example.com"],
  [/date/i, "2026-01-01"],
];

const makeString = (schema: JSONSchema7, name: string, question: string): string => {
  const { format = "", minLength = 0, maxLength = Infinity } = schema;
  const word = /^(?:question|query|prompt|text|message|task|input|content|q)$/i.test(name)
    ? question
    : (BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? namedIn(question) ?? "example");
  return (BY_FORMAT[format] ?? word).slice(0, maxLength).padEnd(minLength, "x");
};

/** What a question puts in quotes, or a name in its middle: "the weather in Paris". */
const namedIn = (question: string): string | undefined =>
  /["“«]([^"”»]{1,100})["”»]/.exec(question)?.[1] ??
  /(?<=[a-z,] )\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*/u.exec(question)?.[0];

const typeOf = (definition: JSONSchema7Definition): string | undefined => {
  if (typeof definition === "boolean") return undefined;
  const types = Array.isArray(definition.type) ? definition.type : [definition.type];
  const type = types.find((one) => one !== "null") ?? types[0];
  if (type !== undefined) return type;
  if (definition.properties || definition.required) return "object";
  return definition.items ? "array" : "string";
};

const joined = (schema: JSONSchema7, root: JSONSchema7): JSONSchema7 => {
  const { allOf = [], ...rest } = schema;
  return allOf.reduce<JSONSchema7>((all, one) => {
    const part = typeof one === "boolean" ? {} : resolve(one, root);
    return {
      ...all,
      ...part,
      properties: { ...all.properties, ...part.properties },
      required: [...(all.required ?? []), ...(part.required ?? [])],
    };
  }, rest);
};

const resolve = (schema: JSONSchema7, root: JSONSchema7): JSONSchema7 => {
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(schema.$ref ?? "")?.[1];
  if (name === undefined) return schema;
  const target = root.$defs?.[name] ?? root.definitions?.[name];
  return typeof target === "object" ? target : {};
};

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
