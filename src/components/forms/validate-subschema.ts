import { compileRoot, compileSchema, type OutputCheck } from "@/contract/check-output";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { memoizeByObject } from "@/lib/memoize-by-object";
import { boundSchema } from "./bounded-schema";
import { withWorkBudget } from "./work-budget";

/**
 * Validates an output as the server does, except for what could take long: complex patterns and unique
 * items are left to the server.
 */
export const validateOutput = (schema: JsonValue | undefined, value: JsonValue): FieldError[] =>
  isJsonObject(schema) ? withWorkBudget(() => getOutputCheck(schema)(value)) : [];

/** Validates a value against a subschema, whose references point into the root schema. */
export const validateSubschema = (
  subschema: JsonValue,
  value: JsonValue | undefined,
  root: JsonObject,
): FieldError[] => {
  if (value === undefined) return [{ pointer: "", message: "is required" }];
  if (subschema === true) return [];
  const schema = isJsonObject(subschema) ? subschema : { not: {} };
  return withWorkBudget(() => getSubschemaChecks(root)(schema)(value));
};

const getOutputCheck = memoizeByObject((schema: JsonObject) => compileSchema(schema, boundSchema));

/** By root schema, and then by subschema. */
const getSubschemaChecks = memoizeByObject((root: JsonObject) => {
  const compile = compileRoot(root, boundSchema);
  return memoizeByObject((subschema: JsonObject): OutputCheck => compile(subschema));
});
