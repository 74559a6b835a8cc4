import { checkOutput } from "@/contract/check-output";
import { isJsonObject, type JsonObject, type JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";

/** Validates a value against a subschema, whose references point into the root schema. */
export const validateSubschema = (
  subschema: JsonValue,
  value: JsonValue | undefined,
  root: JsonObject,
): FieldError[] => {
  if (value === undefined) return [{ pointer: "", message: "is required" }];
  if (subschema === true) return [];
  const rebased = rebaseRefs(subschema);
  const schema = isJsonObject(rebased) ? rebased : { not: {} };
  return checkOutput({ ...schema, $defs: { [ROOT_DEFINITION]: rebaseRefs(root) } }, value);
};

const ROOT_DEFINITION = "whole";

const rebaseRefs = (schema: JsonValue): JsonValue => {
  if (Array.isArray(schema)) return schema.map(rebaseRefs);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) =>
      keyword === "$ref" && typeof value === "string"
        ? [keyword, value.replace(/^#/, `#/$defs/${ROOT_DEFINITION}`)]
        : [keyword, rebaseRefs(value)],
    ),
  );
};
