import type { ErrorSchema } from "@rjsf/utils";
import { parsePointer } from "@/contract/json-pointer";
import type { FieldError } from "@/contract/problem";

type ErrorTree = { [key: string]: ErrorTree | string[] };

/** Problems by place, as the form library hands them to its fields. */
export const errorTree = (problems: readonly FieldError[]): ErrorSchema => {
  const tree: ErrorTree = {};
  for (const { pointer, message } of problems) {
    const branch = parsePointer(pointer).reduce(descend, tree);
    const errors = branch.__errors;
    branch.__errors = Array.isArray(errors) ? [...errors, message] : [message];
  }
  return tree as ErrorSchema;
};

const descend = (branch: ErrorTree, key: string): ErrorTree => {
  const next = Object.hasOwn(branch, key) ? branch[key] : undefined;
  if (next !== undefined && !Array.isArray(next)) return next;
  return (branch[key] = {});
};
