import { Script, createContext } from "node:vm";
import { checkOutput } from "@/contract/check-output";
import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";

/** Far above what an honest schema takes, short enough to hold the event loop for. */
const CHECK_MS = 100;

// Nothing of a schema is run as code: a script is what has a timer that ends an endless loop.
const script = new Script("run()");
const sandbox = createContext({ run: () => undefined as void });

/**
 * `checkOutput` for schemas that we did not write. One that takes for ever, by a pattern that
 * backtracks or references that multiply, is stopped and refuses nothing, as one that cannot be used.
 */
export const checkInTime = (schema: JsonValue | undefined, value: JsonValue): FieldError[] => {
  if (schema === undefined) return [];
  if (isHarmless(schema, value)) return checkOutput(schema, value);
  let problems: FieldError[] = [];
  sandbox.run = () => {
    problems = checkOutput(schema, value);
  };
  try {
    script.runInContext(sandbox, { timeout: CHECK_MS });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return [];
  }
  return problems;
};

/** Keywords by which a small schema can ask for much work. */
const COSTLY =
  /"(?:pattern|patternProperties|format|uniqueItems|\$ref|\$dynamicRef|\$recursiveRef)"/;
/** Characters of JSON: the work is at most in proportion to the product of the two. */
const SMALL_SCHEMA = 4_000;
const SMALL_VALUE = 20_000;

/** The watch over a check costs more than most checks, which need none. */
const isHarmless = (schema: JsonValue, value: JsonValue): boolean => {
  const text = JSON.stringify(schema);
  return (
    text.length <= SMALL_SCHEMA && !COSTLY.test(text) && JSON.stringify(value).length <= SMALL_VALUE
  );
};

/** The error is of the script's own realm, so it is no `Error` of ours. */
const isTimeout = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "code" in error &&
  error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
