import { LRUCache } from "lru-cache";
import { compileSchema, type OutputCheck } from "./check-output";
import type { JsonValue } from "./json";
import type { FieldError } from "./problem";

/** A value and the JSON text of its schema, by which a schema is recognized that is compiled already. */
export type ValidationTask = { schema: string; value: JsonValue };

/**
 * What a thread posts for a job, which is a list of tasks: that it has started, and then the errors of each
 * task in order. What it has posted when it is stopped is valid.
 */
export type ValidationReply = { type: "started" } | { type: "checked"; errors: FieldError[] };

/** Compiled schemas that are kept, in characters of their JSON. */
const MAX_COMPILED_CHARS = 512 * 1024;

/** Creates a check of a value by a schema that keeps what it has compiled. */
export const createTaskCheck = (): ((task: ValidationTask) => FieldError[]) => {
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
  return ({ schema, value }) => compile(schema)(value);
};

/** Creates the function with which a thread runs its jobs. */
export const createJobRunner = (post: (reply: ValidationReply) => void) => {
  const check = createTaskCheck();
  return (tasks: readonly ValidationTask[]): void => {
    post({ type: "started" });
    for (const task of tasks) post({ type: "checked", errors: check(task) });
  };
};
