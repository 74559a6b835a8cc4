import type { Elicitation } from "@/contract/elicitation";
import { isJsonObject } from "@/contract/is-json-object";
import { type JsonObject, type JsonValue, validateJson } from "@/contract/json";
import { MAX_TOOL_SCHEMA_BYTES, MAX_TOOL_SCHEMA_DEPTH } from "@/contract/limits";
import { toUsableSchema } from "@/contract/usable-schema";

/** Longest question, in UTF-16 units, as of a tool's description. */
const MAX_MESSAGE_LENGTH = 10_000;

const PRIMITIVES: ReadonlySet<JsonValue | undefined> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
]);

/** Finds why a question cannot be shown, as a sentence for its server. */
export const findElicitationProblem = ({
  message,
  requested_schema: schema,
}: Elicitation): string | undefined => {
  if (message.length > MAX_MESSAGE_LENGTH) {
    return `The message is longer than ${MAX_MESSAGE_LENGTH} characters.`;
  }
  const invalid = validateJson(schema, MAX_TOOL_SCHEMA_DEPTH);
  if (invalid !== undefined) return `The requested schema ${invalid}.`;
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_TOOL_SCHEMA_BYTES) {
    return `The requested schema is over ${MAX_TOOL_SCHEMA_BYTES} bytes.`;
  }
  const usable = toUsableSchema(schema);
  if (!usable) return "The requested schema is not a valid JSON schema.";
  return isFlat(usable)
    ? undefined
    : "The requested schema must be an object whose properties are texts, numbers, booleans, choices or lists of choices.";
};

const isFlat = ({ type, properties, ...others }: JsonObject): boolean =>
  type === "object" &&
  isJsonObject(properties) &&
  Object.values(properties).every(isField) &&
  Object.keys(others).every((key) => ROOT_KEYWORDS.has(key));

/** What an object schema may say besides its fields: no other schema, and no reference. */
const ROOT_KEYWORDS: ReadonlySet<string> = new Set([
  "$schema",
  "additionalProperties",
  "description",
  "required",
  "title",
]);

const isField = (field: JsonValue): boolean => {
  if (!isJsonObject(field) || "$ref" in field) return false;
  const { type, items } = field;
  if (type !== "array") return PRIMITIVES.has(type);
  return isJsonObject(items) && (Array.isArray(items.enum) || Array.isArray(items.anyOf));
};
