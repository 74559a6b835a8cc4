import { checkOutput } from "@/contract/check-output";
import { isJsonObject, type JsonObject, type JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";

/** What is wrong with a value by one part of a schema, whose references lead into the whole. */
export const partProblems = (
  part: JsonValue,
  value: JsonValue | undefined,
  root: JsonObject,
): FieldError[] => {
  if (value === undefined) return [{ pointer: "", message: "is required" }];
  if (part === true) return [];
  const own = moveRefs(part);
  const schema = isJsonObject(own) ? own : { not: {} };
  return checkOutput({ ...schema, $defs: { [ROOT]: moveRefs(root) } }, value);
};

const ROOT = "whole";

const moveRefs = (schema: JsonValue): JsonValue => {
  if (Array.isArray(schema)) return schema.map(moveRefs);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) =>
      keyword === "$ref" && typeof value === "string"
        ? [keyword, value.replace(/^#/, `#/$defs/${ROOT}`)]
        : [keyword, moveRefs(value)],
    ),
  );
};
