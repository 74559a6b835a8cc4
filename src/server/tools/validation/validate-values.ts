import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { createTaskCheck } from "@/contract/validation-job";
import { roundNumbers } from "@/lib/exact-json";
import { log } from "@/server/log";
import { isShortJob } from "./is-short-job";
import { validationPool } from "./validation-pool";

export type ValueToValidate = { schema: JsonValue | undefined; value: JsonValue };

/**
 * Validates the values of one request by schemas from outside: at once, if that is known to be short. Others share one budget
 * of time, and run where they block nothing but other requests of the same user. A value that is not validated within
 * the budget has no errors, as by an unusable schema.
 *
 * @returns the errors of each value, in order.
 * @throws {Error} when no thread can be started.
 */
export const validateValues = async (
  values: readonly ValueToValidate[],
  userId: string,
): Promise<FieldError[][]> =>
  (await tryValidateValues(values, userId)).map((errors) => errors ?? []);

/** The same, with undefined for a value that was not validated within the budget. */
export const tryValidateValues = async (
  values: readonly ValueToValidate[],
  userId: string,
): Promise<(FieldError[] | undefined)[]> => {
  const tasks = values.flatMap(({ schema, value }, index) =>
    schema === undefined
      ? []
      : [{ index, schema, text: toText(schema), value: roundNumbers(value) }],
  );
  const errors = values.map(({ schema }): FieldError[] | undefined =>
    schema === undefined ? [] : undefined,
  );
  if (tasks.length === 0) return errors;
  const job = tasks.map(({ text, value }) => ({ schema: text, value }));
  const reports = isShortJob(tasks) ? job.map(check) : await validationPool()(userId, job);
  if (reports.length < tasks.length) {
    const unchecked = tasks.length - reports.length;
    log().warn({ userId, unchecked }, "validation stopped: schemas exceed the time of a request");
  }
  reports.forEach((report, at) => (errors[tasks[at]?.index ?? 0] = report));
  return errors;
};

const check = createTaskCheck();
const texts = new WeakMap<object, string>();

/** Several values often have the same schema object, such as the results of one tool. */
const toText = (schema: JsonValue): string => {
  if (typeof schema !== "object" || schema === null) return JSON.stringify(schema);
  const text = texts.get(schema) ?? JSON.stringify(schema);
  texts.set(schema, text);
  return text;
};
