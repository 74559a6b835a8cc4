import { LRUCache } from "lru-cache";
import { compileSchema, type OutputCheck } from "./check-output";
import type { JsonValue } from "./json";
import type { FieldError } from "./problem";

/** A value and the JSON text of its schema, by which a thread recognizes a schema that it has compiled. */
export type ValidationTask = { schema: string; value: JsonValue };

/**
 * What a thread posts for a job, which is a list of tasks: that it has started, and then the errors of each
 * task in order. What it has posted when it is stopped is valid.
 */
export type ValidationReply = { type: "started" } | { type: "checked"; errors: FieldError[] };

/** Compiled schemas that a thread keeps, in characters of their JSON. */
const MAX_COMPILED_CHARS = 512 * 1024;

/** Creates the function with which a thread runs its jobs. */
export const createJobRunner = (post: (reply: ValidationReply) => void) => {
  const compiled = new LRUCache<string, OutputCheck>({
    maxSize: MAX_COMPILED_CHARS,
    sizeCalculation: (_check, schema) => schema.length,
  });
  const compile = (schema: string): OutputCheck => {
    const known = compiled.get(schema);
    if (known) return known;
    const check = compileSchema(JSON.parse(schema) as JsonValue);
    compiled.set(schema, check);
    return check;
  };
  return (tasks: readonly ValidationTask[]): void => {
    post({ type: "started" });
    for (const { schema, value } of tasks)
      post({ type: "checked", errors: compile(schema)(value) });
  };
};
