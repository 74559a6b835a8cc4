import { Script, createContext } from "node:vm";
import { checkOutput } from "@/contract/check-output";
import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";

/** Far longer than an ordinary schema takes, short enough to block the event loop for. */
const TIMEOUT_MS = 100;

// A script can be ended by a timeout. The schema itself is never run as code.
const script = new Script("run()");
const sandbox = createContext({ run: () => undefined as void });

/**
 * Validates a value by a schema from outside. A validation that exceeds the timeout, because a
 * pattern backtracks or references multiply, is stopped and reports no errors, like an unusable
 * schema.
 */
export const validateWithTimeout = (
  schema: JsonValue | undefined,
  value: JsonValue,
): FieldError[] => {
  if (schema === undefined) return [];
  if (isCheap(schema, value)) return checkOutput(schema, value);
  let errors: FieldError[] = [];
  sandbox.run = () => {
    errors = checkOutput(schema, value);
  };
  try {
    script.runInContext(sandbox, { timeout: TIMEOUT_MS });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return [];
  }
  return errors;
};

/** Keywords that can make a small schema expensive. */
const EXPENSIVE_KEYWORDS =
  /"(?:pattern|patternProperties|format|uniqueItems|\$ref|\$dynamicRef|\$recursiveRef)"/;
/** In characters of JSON. Below both, the work is at most proportional to their product. */
const MAX_CHEAP_SCHEMA_CHARS = 4_000;
const MAX_CHEAP_VALUE_CHARS = 20_000;

/** Most validations cost less than the timeout around them, which they do not need. */
const isCheap = (schema: JsonValue, value: JsonValue): boolean => {
  const text = JSON.stringify(schema);
  return (
    text.length <= MAX_CHEAP_SCHEMA_CHARS &&
    !EXPENSIVE_KEYWORDS.test(text) &&
    JSON.stringify(value).length <= MAX_CHEAP_VALUE_CHARS
  );
};

/** The error belongs to the script's realm, so `instanceof Error` is false for it. */
const isTimeout = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "code" in error &&
  error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
