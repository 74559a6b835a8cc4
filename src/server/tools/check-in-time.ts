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

/** The error is of the script's own realm, so it is no `Error` of ours. */
const isTimeout = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "code" in error &&
  error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
